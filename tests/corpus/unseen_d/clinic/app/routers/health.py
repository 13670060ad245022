import asyncio

from fastapi import APIRouter

from app.core.config import settings

router = APIRouter()


@router.get("/live")
async def live():
    return {"status": "ok"}  # looks like FB-X2


class SmsProbe:
    system = "sms"

    def __init__(self, gateway, http) -> None:
        self.gateway = gateway
        self.http = http

    async def probe(self) -> bool:
        async with asyncio.timeout(settings.SMS_TOTAL):
            await self.gateway.send("+100", "ping")  #! HC-X2
        return True

    async def light(self) -> bool:
        async with asyncio.timeout(settings.SMS_TOTAL):
            answer = await self.http.get("/health")  # looks like HC-X2
        return answer.status_code == 200
