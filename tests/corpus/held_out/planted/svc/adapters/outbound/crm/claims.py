class CrmAdapter:
    async def a(self):
        try:
            await self.send()
        except CrmUnavailableError:
            return Result(status="success")  #! FB-X2
    async def b(self):
        status = "failed"
        try:
            await self.send()
            status = "sent"
        except TimeoutError:
            status = "delivered"  #! FB-X2
        return status
    async def c(self):
        try:
            await self.send()
        except (ConnectionError, TimeoutError):
            return Outcome.completed()  #! FB-X2
