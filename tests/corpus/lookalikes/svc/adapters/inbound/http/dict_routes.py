routes = {}
async def a(items):
    for item in items:
        routes.get(item)
