import httpx
def a(s, **kwargs):
    kwargs.setdefault("timeout", s.timeout)
    kwargs["limits"] = s.limits
    return httpx.AsyncClient(**kwargs)
