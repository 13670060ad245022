from time import sleep
from fastapi import FastAPI
def create_app():
    app = FastAPI()
    @app.get("/sync")
    def blocking(port):
        while not port.ready():
            sleep(1)  #! ASYNC-X1
    return app
