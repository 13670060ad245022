from __future__ import annotations

import asyncio

import anyio
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tenacity import retry, retry_if_exception_type, wait_random_exponential


class Orders(HTTPEndpoint):
    async def get(self, request: Request) -> JSONResponse:
        order = request.path_params["id"]
        left = 20
        while (state := await request.app.state.orders.state(order)) == "open" and left > 0:
            left -= 1
            await anyio.sleep(0.2)  #! ASYNC-X1
        return JSONResponse({"state": state})

    async def post(self, request: Request) -> JSONResponse:  # looks like ASYNC-1-202
        task = await request.app.state.queue.enqueue("order", await request.json())
        return JSONResponse({"task": task}, status_code=202)

    async def put(self, request: Request) -> JSONResponse:  #! ASYNC-1-202
        task = await request.app.state.queue.enqueue("change", await request.json())
        return JSONResponse({"task": task, "status": "queued"})


async def cancel(request: Request) -> JSONResponse:  #! ASYNC-1-202
    body = await request.json()
    await request.app.state.queue.enqueue("cancel", body)
    return JSONResponse({"status": "queued", "order": body["id"]}, status_code=200)


@retry(retry=retry_if_exception_type(KeyError), wait=wait_random_exponential())  #! WHERE-X1
async def programme(request: Request) -> JSONResponse:
    return JSONResponse(request.app.state.programme["today"])


async def lineup(request: Request) -> JSONResponse:
    names = []
    for stage in request.app.state.stages:
        names.append(await stage.headliner())  # looks like ASYNC-X1
    await asyncio.sleep(0)
    return JSONResponse(names)


async def first_free(request: Request) -> JSONResponse:
    hall = request.query_params["hall"]
    tries = 0
    while tries < 5:
        tries += 1
        free = await request.app.state.halls.first_free(hall)
        if free:
            return JSONResponse({"seat": free})
        await asyncio.sleep(delay=0.4)  #! ASYNC-X1
    return JSONResponse({"seat": None}, status_code=404)


routes = [
    Route("/orders/{id}", Orders),
    Route("/cancel", cancel, methods=["POST"]),
    Route("/programme", programme),
    Route("/lineup", lineup),
    Route("/free", first_free),
]
