class InsuranceAdapter:
    async def a(self):
        try:
            await self.insert()
        except DuplicateKeyError:
            return {"status": "accepted"}
    async def b(self) -> bool:
        try:
            await self.ping()
        except OSError:
            return False
        return True
    async def c(self):
        try:
            return await self.send()
        except Unavailable:
            return {"status": "failed"}
    async def d(self):
        try:
            return await self.send()
        except Unavailable as error:
            log.warning("later", exc_info=error)
            raise
    async def is_down(self) -> bool:
        try:
            await self.ping()
        except OSError:
            return True
        return False
