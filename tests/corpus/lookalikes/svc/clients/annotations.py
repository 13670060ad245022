import httpx
from httpx import AsyncClient
def use(client: AsyncClient) -> httpx.AsyncClient:
    return client
def is_client(x):
    return isinstance(x, AsyncClient)
