def search(session, query):
    try:
        rows, count = run(session, query)
    except ProgrammingError:
        return {"items": [], "page": 1, "total": 0}
    return {"items": rows, "page": 1, "total": count}
async def page(port):
    try:
        return await port.find()
    except OSError:
        return Page(items=[], total=0)
