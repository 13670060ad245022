import asyncio
import time
class PayOrderUseCase:
    def __init__(self, port, sleep=asyncio.sleep):
        self._port = port
        self._sleep = sleep
    async def execute(self, order):
        while await self._port.pending(order):
            await self._sleep(1)  #! ASYNC-X1
class CancelOrderCommandHandler:
    def handle(self, command):
        for _ in range(10):
            time.sleep(0.1)  #! ASYNC-X1
