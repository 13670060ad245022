import httpx
NONE = 0
a = httpx.AsyncHTTPTransport(retries=NONE)
b = httpx.HTTPTransport(verify=False)
def retries(n): ...
c = retries(n=3)
d = Job(retries=3)
