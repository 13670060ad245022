"""The fake is held to what the real adapters do."""

import pytest

from tests.fakes import FakeProvider
from tests.provider_contract import ProviderContract


class TestFakeProvider(ProviderContract):
    """Runs the contract against the fake."""

    @pytest.fixture
    def provider(self) -> FakeProvider:
        return FakeProvider()
