import httpx
def app_client(app):
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://local")
def settings_first(s, base):
    options = {"timeout": s.timeout, "limits": s.limits}
    return httpx.AsyncClient(base_url=base, **options)
