import asyncio
import concurrent.futures

import backoff
import httpx

from app.core.config import settings


def brief(error: Exception) -> bool:
    return isinstance(error, httpx.HTTPStatusError) and error.response.status_code < 500


class SmsGateway:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.workers = concurrent.futures.ThreadPoolExecutor()

    @backoff.on_exception(backoff.constant, httpx.ConnectError, max_tries=settings.LAB_ATTEMPTS)  #! RE-X3
    async def credit(self) -> int:
        async with asyncio.timeout(settings.SMS_TOTAL):
            return (await self.http.get("/credit")).json()["messages"]

    @backoff.on_exception(backoff.expo, (httpx.ConnectError, httpx.ReadTimeout), max_tries=settings.LAB_ATTEMPTS)  # looks like RE-X3
    async def senders(self) -> list:
        async with asyncio.timeout(settings.SMS_TOTAL):
            return (await self.http.get("/senders")).json()

    @backoff.on_exception(backoff.expo, Exception, max_tries=settings.LAB_ATTEMPTS)  #! RE-X2
    async def templates(self) -> list:
        async with asyncio.timeout(settings.SMS_TOTAL):
            return (await self.http.get("/templates")).json()

    @backoff.on_exception(backoff.expo, httpx.ConnectError, max_tries=settings.LAB_ATTEMPTS)
    async def send(self, to: str, words: str) -> None:
        async with asyncio.timeout(settings.SMS_TOTAL):
            await self.http.post("/messages", json={"to": to, "text": words})  #! RE-X1

    def send_blocking(self, to: str, words: str) -> None:
        asyncio.run(self.send(to, words))

    async def broadcast(self, numbers: list[str], words: str) -> None:
        for number in numbers:
            await asyncio.to_thread(self.send_blocking, number, words)  #! BH-X1

    async def broadcast_pooled(self, numbers: list[str], words: str) -> None:
        for number in numbers:
            self.workers.submit(self.send_blocking, number, words)  #! BH-X1

    async def count_words(self, text: str) -> int:
        return await asyncio.to_thread(len, text.split())  # looks like BH-X1
