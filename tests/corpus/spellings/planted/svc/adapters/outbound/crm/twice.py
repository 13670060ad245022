import httpx
import openai
import requests
import urllib3
from botocore.config import Config
from requests.adapters import HTTPAdapter, Retry  #! RE-X4
http = urllib3.PoolManager(retries=3)  #! RE-X4
config = Config(retries={"max_attempts": 5, "mode": "standard"})  #! RE-X4
ai = openai.AsyncOpenAI(max_retries=5)  #! RE-X4
class Transport(httpx.AsyncHTTPTransport):
    pass
transport = Transport(retries=2)  #! RE-X4
session = requests.Session()
session.mount("https://", HTTPAdapter(max_retries=urllib3.util.Retry(total=3)))  #! RE-X4
def late():
    import importlib
    return importlib.import_module("aiohttp_retry")  #! RE-X4
