class Tree:
    async def walk(self, node):
        for child in node.children:
            await self.walk(child)
