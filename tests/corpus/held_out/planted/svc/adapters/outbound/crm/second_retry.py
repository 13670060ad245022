import httpx
from httpx_retries import RetryTransport  #! RE-X4
OPTIONS = {"retries": 2}
def a():
    return httpx.AsyncHTTPTransport(**OPTIONS)  #! RE-X4
