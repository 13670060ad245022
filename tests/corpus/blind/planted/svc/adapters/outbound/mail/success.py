from enum import Enum
class Status(Enum):
    SENT = "sent"
class MailAdapter:
    async def a(self):
        try:
            await self.send()
        except Unavailable:
            pass
        return Status.SENT  #! FB-X2
    async def b(self):
        ok = True
        try:
            await self.send()
        except OSError:
            return ok  #! FB-X2
    async def c(self):
        try:
            await self.send()
        except TimeoutError:
            return Response(200, json={"status": "ok"})  #! FB-X2
    async def d(self):
        try:
            await self.send()
        except (Unavailable, TimeoutError):
            return {"sent": True}  #! FB-X2
