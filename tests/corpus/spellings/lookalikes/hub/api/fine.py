from fastapi import APIRouter, BackgroundTasks
router = APIRouter()
@router.post("/users", status_code=201)
async def create(body: dict, tasks: BackgroundTasks, users=None):
    user = await users.add(body)
    tasks.add_task(users.welcome, user)
    return user
@router.post("/search")
async def search(body: dict, index=None):
    return {"state": "complete", "hits": await index.search(body)}
@router.delete("/users/{id}")
async def remove(id: int, users=None):
    await users.remove(id)
    return {"message": "User removed"}
