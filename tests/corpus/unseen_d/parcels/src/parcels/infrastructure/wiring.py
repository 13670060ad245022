from fastapi import Request


def carrier(request: Request):
    return request.app.state.container.nordpost


def scheduler(request: Request):
    return request.app.state.queue


def shipments(request: Request):
    return request.app.state.shipments
