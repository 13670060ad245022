import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from courier.config import WorkerConfig

config = WorkerConfig()


async def order_label(request: Request) -> Response:  #! ASYNC-1-202
    body = await request.json()
    task_id = await request.app.state.tasks.enqueue("label", body)
    return JSONResponse({"task": task_id, "status": "accepted"})


async def order_pickup(request: Request) -> Response:
    body = await request.json()
    task_id = await request.app.state.tasks.enqueue("pickup", body)
    return JSONResponse({"task": task_id, "status": "accepted"}, 202)  # looks like ASYNC-1-202: by position


async def show_label(request: Request) -> Response:
    label = await request.app.state.labels.get(request.path_params["id"])  # looks like ASYNC-3: a repository
    if label is None:
        return JSONResponse({"detail": "no such label"}, status_code=404)
    return JSONResponse({"id": label.id, "status": label.status})


async def label_when_printed(request: Request) -> Response:
    labels = request.app.state.labels
    polls = 0
    while (label := await labels.get(request.path_params["id"])) is None or label.status != "PRINTED":
        polls += 1
        if polls > config.polls:
            return JSONResponse({"detail": "still printing"}, status_code=409)
        await asyncio.sleep(config.idle)  #! ASYNC-X1
    return Response(label.pdf, media_type="application/pdf")


async def stop_worker(request: Request) -> Response:
    stopping: asyncio.Event = request.app.state.stopping
    stopping.set()
    async with asyncio.timeout(config.idle):
        await request.app.state.worker  # looks like ASYNC-X1: waits for a task, under a deadline
    return JSONResponse({"stopped": True})


app = Starlette(
    routes=[
        Route("/labels", order_label, methods=["POST"]),
        Route("/pickups", order_pickup, methods=["POST"]),
        Route("/labels/{id}", show_label),
        Route("/labels/{id}/pdf", label_when_printed),
        Route("/worker", stop_worker, methods=["DELETE"]),
    ]
)
