import httpx
from fastapi import Request

from app.clients.insurer import InsurerClient
from app.clients.lab.client import LabClient


def lab(request: Request) -> LabClient:
    return LabClient(request.app.state.lab_http)


def insurer(request: Request) -> InsurerClient:
    return InsurerClient(request.app.state.insurer_http)  # looks like ISO-X1


def sms(request: Request) -> httpx.AsyncClient:
    return request.app.state.sms_http


def appointments(request: Request):
    return request.app.state.appointments


def queue(request: Request):
    return request.app.state.queue
