"""Checks requests and answers against a system's OpenAPI document."""

import re
from collections.abc import Mapping
from typing import Any

import httpx
import yaml
from jsonschema import Draft202012Validator

from dev.project import contract


class Contract:
    """One system's document."""

    def __init__(self, system: str) -> None:
        self.document: Mapping[str, Any] = yaml.safe_load(contract(system).read_text(encoding="utf-8"))

    def check(self, response: httpx.Response, prefix: str) -> None:
        """Demand that the answer is one that the document allows for the request that it answers."""
        path = response.request.url.raw_path.decode().removeprefix(prefix)
        operation = self._operation(response.request.method.lower(), path)
        answers = operation["responses"]
        assert str(response.status_code) in answers, f"{path}: the contract knows no answer {response.status_code}"
        content = self._resolved(answers[str(response.status_code)])["content"]
        media_type = response.headers["content-type"].partition(";")[0]
        assert media_type in content
        self._validator(content[media_type]["schema"]).validate(response.json())

    def check_request(self, method: str, path: str, body: object) -> None:
        """Demand that the body is one that the document allows."""
        content = self._operation(method, path)["requestBody"]["content"]
        self._validator(content["application/json"]["schema"]).validate(body)

    def _operation(self, method: str, path: str) -> Mapping[str, Any]:
        for template, methods in self.document["paths"].items():
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) and method in methods:
                found: Mapping[str, Any] = methods[method]
                return found
        raise AssertionError(f"the contract has no {method} {path}")

    def _resolved(self, thing: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in thing:
            found: Any = self.document
            for name in thing["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            thing = found
        return thing

    def _validator(self, schema: Mapping[str, Any]) -> Draft202012Validator:
        return Draft202012Validator({**schema, "components": self.document["components"]})
