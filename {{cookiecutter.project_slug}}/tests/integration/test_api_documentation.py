"""What the API says of itself, at `/docs` and `/openapi.json`."""

import httpx


async def test_every_route_documents_its_problems(api: httpx.AsyncClient) -> None:
    response = await api.get("/openapi.json")

    document = response.json()
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert response.status_code == 200
    assert all("application/problem+json" in operation["responses"]["default"]["content"] for operation in operations)
    assert "HTTPValidationError" not in response.text
