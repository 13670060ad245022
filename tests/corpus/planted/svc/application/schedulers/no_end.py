from itertools import count, repeat
class Ask:
    async def a(self, id):
        while 1:  #! ASYNC-1-MAX
            state = await self.port.poll(id)
            if state == "done":
                break
    async def b(self, id):
        for _ in repeat(None):  #! ASYNC-1-MAX
            if await self.port.get_state(id) == "done":
                return
    async def c(self, id):
        done = False
        while not done:  #! ASYNC-1-MAX
            done = await self.port.check_status(id)
    async def d(self, id):
        while await self.port.get_status(id) != "done":  #! ASYNC-1-MAX
            pass
