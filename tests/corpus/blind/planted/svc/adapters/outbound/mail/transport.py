import httpx
from requests.adapters import HTTPAdapter
from tenacity import retry
options = dict(retries=2)
a = httpx.AsyncHTTPTransport(**options)  #! RE-X4
b = HTTPAdapter(max_retries=3)  #! RE-X4
mounts = {"https://": httpx.AsyncHTTPTransport(http2=True, retries=1)}  #! RE-X4
