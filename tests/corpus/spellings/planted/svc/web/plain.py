import asyncio
from starlette.requests import Request
from starlette.middleware.base import BaseHTTPMiddleware
from aiohttp import web
from fastapi import Depends, FastAPI
app = FastAPI()
async def page(request: Request):
    while not request.app.state.ready:
        await asyncio.sleep(0.1)  #! ASYNC-X1
async def handle(request: web.Request) -> web.Response:
    for _ in range(5):
        await asyncio.sleep(0.1)  #! ASYNC-X1
class Gate(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        while self.closed:
            await asyncio.sleep(0.1)  #! ASYNC-X1
        return await call_next(request)
@app.middleware("http")
async def slow(request, call_next):
    while app.state.starting:
        await asyncio.sleep(0.1)  #! ASYNC-X1
    return await call_next(request)
async def session_ready():
    while not app.state.db:
        await asyncio.sleep(0.1)  #! ASYNC-X1
@app.get("/x")
async def x(db=Depends(session_ready)): ...
