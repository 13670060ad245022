import asyncio
class FirstMatch:
    async def handle(self, sources):
        for source in sources:
            def later():
                return asyncio.sleep(1)
            source.on_close(later)
        return None
