from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
router = APIRouter(default_status_code=202)
other = APIRouter()
ACCEPTED = 202
@other.post("/a", status_code=ACCEPTED)
async def a(body: dict):
    return {"status": "queued"}
@other.post("/b")
async def b(body: dict, response: Response):
    response.status_code = ACCEPTED
    return {"status": "accepted"}
@other.post("/c")
async def c(body: dict):
    return JSONResponse(status_code=202, content={"status": "queued"})
@other.post("/d")
async def d(body: dict):
    return {"status": "created", "id": await uc(body)}
@other.get("/e")
async def e(id: int):
    return {"status": "queued"}
@other.post("/login")
async def login(body: dict):
    return {"status": "ok", "token": await uc(body)}
