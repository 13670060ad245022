class MailHealth:
    async def check(self):
        await self._client.post(url="/letters")  #! HC-X2
    async def probe(self):
        async with self.session.post("/letters") as r:  #! HC-X2
            return r.status
