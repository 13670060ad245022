class MailAdapter:
    async def a(self):
        try:
            await self.send()
        except OSError:
            return {"status": "queued"}
        return {"status": "sent"}
    async def b(self):
        try:
            return await self.send()
        except OSError:
            self.ok = False
            return self.last
    def parse_flag(self, raw):
        try:
            return int(raw) > 0
        except ValueError:
            return True
