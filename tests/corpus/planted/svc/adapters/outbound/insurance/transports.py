import httpx
import functools
import aiohttp_retry  #! RE-X4
from urllib3.util import Retry  #! RE-X4
from httpx import HTTPTransport as Plain
Transport = httpx.AsyncHTTPTransport
a = Transport(retries=2)  #! RE-X4
b = Plain(retries=1)  #! RE-X4
c = functools.partial(httpx.AsyncHTTPTransport, retries=2)  #! RE-X4
class Own(httpx.AsyncHTTPTransport):
    def __init__(self):
        super().__init__(retries=3)  #! RE-X4
