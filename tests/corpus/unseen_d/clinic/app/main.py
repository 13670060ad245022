from contextlib import asynccontextmanager

from fastapi import FastAPI

from app.clients.http import insurer_client, lab_client, sms_client
from app.clients.insurer import InsurerClient
from app.clients.lab.client import LabClient
from app.clients.sms import SmsGateway
from app.routers import appointments


@asynccontextmanager
async def lifespan(app: FastAPI):
    async with lab_client() as lab_http, insurer_client() as insurer_http, sms_client() as sms_http:
        app.state.lab_http = lab_http
        app.state.insurer_http = insurer_http
        app.state.sms_http = sms_http
        app.state.lab = LabClient(lab_http)
        app.state.sms = SmsGateway(http=lab_http)  #! ISO-X1
        app.state.insurer = InsurerClient(insurer_http)  # looks like ISO-X1
        yield


app = FastAPI(lifespan=lifespan)
app.include_router(appointments.router)
