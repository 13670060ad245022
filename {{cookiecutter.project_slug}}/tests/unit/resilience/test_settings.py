"""Settings: impossible combinations stop the start and name variable and rule; no system reads another's."""

from pathlib import Path
from typing import TypeVar

import pytest
from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from {{ cookiecutter.package_name }}.resilience.settings import ClientSettings
from {{ cookiecutter.package_name }}.resilience.settings_rules import OPEN_MAX_FACTOR, OPEN_MAX_S
from {{ cookiecutter.package_name }}.resilience.system import System

from .bank import Bank, BankSettings

S = TypeVar("S", bound=BaseSettings)


class PaySettings(ClientSettings):
    model_config = SettingsConfigDict(env_prefix="CLIENT_PAY__")


class PayMentsSettings(ClientSettings):
    model_config = SettingsConfigDict(env_prefix="CLIENT_PAY_MENTS__")


@pytest.fixture(autouse=True)
def addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for system in ("BANK", "PAY", "PAY_MENTS"):
        monkeypatch.setenv(f"CLIENT_{system}__BASE_URL", f"https://{system.lower().replace('_', '-')}.test")


def load(kind: type[S], env_file: Path | None = None) -> S:
    return kind(_env_file=env_file)


def complaint(**variables: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(f"CLIENT_BANK__{name}", value)
        with pytest.raises(ValidationError) as caught:
            load(BankSettings)
    return str(caught.value)


def test_res_cfg_2_the_contracts_defaults() -> None:
    settings = load(BankSettings)

    assert (settings.connect_timeout, settings.read_timeout, settings.write_timeout) == (1, 10, 5)
    assert (settings.pool_timeout, settings.total_timeout) == (2, 15)
    assert (settings.max_concurrent, settings.max_connections, settings.bulkhead_wait) == (16, 20, 0.1)
    assert (settings.breaker_window, settings.breaker_min_calls, settings.breaker_failure_ratio) == (50, 10, 0.5)
    assert (settings.breaker_open, settings.breaker_trials, settings.breaker_mode) == (30, 3, "auto")
    assert (settings.retry_attempts, settings.retry_budget_ratio, settings.retry_window) == (3, 0.1, 5)
    assert (settings.health_ttl, settings.required_for_readiness) == (30, False)


def test_the_address_has_no_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLIENT_BANK__BASE_URL")

    with pytest.raises(ValidationError, match="base_url"):
        load(BankSettings)


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"TOTAL_TIMEOUT": "11.5"}, ("TOTAL_TIMEOUT=11.5", "R-RES-TO-1", "= 12")),
        ({"CONNECT_TIMEOUT": "11", "READ_TIMEOUT": "20", "TOTAL_TIMEOUT": "40"}, ("CONNECT_TIMEOUT=11", "R-RES-TO-1")),
        ({"CONNECT_TIMEOUT": "3", "READ_TIMEOUT": "2"}, ("CONNECT_TIMEOUT=3", "READ_TIMEOUT=2", "R-RES-TO-1")),
        ({"READ_TIMEOUT": "15"}, ("TOTAL_TIMEOUT=15", "READ_TIMEOUT=15", "R-RES-TO-X2")),
        ({"READ_TIMEOUT": "61", "TOTAL_TIMEOUT": "90"}, ("READ_TIMEOUT=61", "R-RES-TO-X3")),
        ({"MAX_CONNECTIONS": "15"}, ("MAX_CONNECTIONS=15", "MAX_CONCURRENT=16", "R-RES-ISO-2")),
        ({"MAX_CONCURRENT": "17"}, ("MAX_CONCURRENT=17", "5/6", "R-RES-BH-3")),
        ({"BULKHEAD_WAIT": "0.2"}, ("BULKHEAD_WAIT=0.2", "R-RES-BH-3")),
        ({"BREAKER_MIN_CALLS": "51"}, ("BREAKER_MIN_CALLS=51", "R-RES-CB-2")),
        ({"BREAKER_OPEN": "200", "BREAKER_OPEN_MAX": "120"}, ("BREAKER_OPEN_MAX=120", "R-RES-CB-4")),
        ({"RETRY_ATTEMPTS": "6"}, ("RETRY_ATTEMPTS=6", "R-RES-RE-3")),
        ({"RETRY_BACKOFF": "2", "RETRY_BACKOFF_MAX": "1"}, ("RETRY_BACKOFF_MAX=1", "R-RES-RE-X3")),
        ({"HEALTH_TIMEOUT": "30"}, ("HEALTH_TIMEOUT=30", "R-RES-HC-2")),
        ({"BASE_URL": "bank.test/api"}, ("BASE_URL", "R-RES-CFG-1")),
        ({"BASE_URL": "https://me:secret@bank.test"}, ("BASE_URL", "no credentials")),
        ({"BASE_URL": "https://bank.test?key=1"}, ("BASE_URL", "query")),
        ({"BASE_URL": "https://bank.test:99999"}, ("BASE_URL is no address",)),
        ({"OAUTH_CLIENT_ID": "me"}, ("OAUTH_TOKEN_URL is missing",)),
        (
            {
                "AUTH_VALUE": "x",
                "OAUTH_TOKEN_URL": "https://id.test",
                "OAUTH_CLIENT_ID": "me",
                "OAUTH_CLIENT_SECRET": "s",
            },
            ("AUTH_VALUE and OAUTH_*",),
        ),
        ({"AUTH_VALUE": ""}, ("AUTH_VALUE is empty",)),
        ({"AUTH_VALUE": "Bearer x\n"}, ("AUTH_VALUE", "line break")),
        (
            {"OAUTH_TOKEN_URL": "https://id.test", "OAUTH_CLIENT_ID": "me", "OAUTH_CLIENT_SECRET": "s\n"},
            ("OAUTH_CLIENT_SECRET", "white space"),
        ),
        ({"CA_BUNDLE": "/no/such/file"}, ("CA_BUNDLE=/no/such/file is no file",)),
        ({"CLIENT_KEY": "/no/such/key"}, ("CLIENT_KEY needs CLIENT_CERTIFICATE",)),
        ({"PROXY": "socks5://proxy:1"}, ("PROXY must be",)),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_res_to_bh_cb_re_an_impossible_combination_names_variable_and_rule(
    variables: dict[str, str], said: tuple[str, ...]
) -> None:
    text = complaint(**variables)

    assert all(part in text for part in said), text
    assert "CLIENT_BANK__" in text
    assert "secret@" not in text.partition("[type=")[0]


def test_all_broken_rules_are_told_at_once() -> None:
    text = complaint(READ_TIMEOUT="61", MAX_CONCURRENT="17", RETRY_ATTEMPTS="6")

    assert text.count("CLIENT_BANK__") >= 4  # R-RES-TO-X3, R-RES-TO-1, R-RES-BH-3, R-RES-RE-3


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "0", "soon", ""])
def test_a_time_is_a_positive_number_of_seconds(value: str) -> None:
    assert "read_timeout" in complaint(READ_TIMEOUT=value)


@pytest.mark.parametrize(
    ("variables", "field", "value"),
    [
        ({"READ_TIMEOUT": "0.5"}, "connect_timeout", 0.25),
        ({"BREAKER_WINDOW": "4"}, "breaker_min_calls", 4),
        ({"BREAKER_OPEN": "1"}, "breaker_open_max", 4),
        ({"BREAKER_OPEN": "1", "BREAKER_OPEN_MAX": "9"}, "breaker_open_max", 9),
        ({"RETRY_BACKOFF": "2"}, "retry_backoff_max", 2),
        ({"HEALTH_TTL": "1"}, "health_timeout", 0.5),
        ({"TOTAL_TIMEOUT": "2.5", "READ_TIMEOUT": "1"}, "pool_timeout", 2),
        ({"MAX_CONCURRENT": "1"}, "breaker_trials", 3),
    ],
)
def test_who_shortens_one_number_need_not_know_the_defaults_of_the_others(
    variables: dict[str, str], field: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in variables.items():
        monkeypatch.setenv(f"CLIENT_BANK__{name}", text)

    assert getattr(load(BankSettings), field) == value


def test_the_open_periods_default_and_what_it_follows_are_one_number() -> None:
    assert ClientSettings.model_fields["breaker_open_max"].default == OPEN_MAX_S
    assert ClientSettings.model_fields["breaker_open"].default * OPEN_MAX_FACTOR == OPEN_MAX_S


def test_five_sixths_of_the_pool_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIENT_BANK__MAX_CONCURRENT", "25")
    monkeypatch.setenv("CLIENT_BANK__MAX_CONNECTIONS", "30")

    assert load(BankSettings).max_concurrent == 25


def test_res_cfg_3_nothing_leaks_between_pay_and_pay_ments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLIENT_PAY__MAX_CONCURRENT", "3")
    monkeypatch.setenv("CLIENT_PAY_MENTS__MAX_CONCURRENT", "4")
    env_file = tmp_path / "env"
    env_file.write_text(
        "CLIENT_PAY__READ_TIMEOUT=3\nCLIENT_PAY_MENTS__READ_TIMEOUT=4\n"
        "CLIENT_PAY__MENTS__READ_TIMEOUT=9\nMENTS__READ_TIMEOUT=9\n"
    )

    pay, payments = load(PaySettings, env_file), load(PayMentsSettings, env_file)

    assert (pay.max_concurrent, pay.read_timeout) == (3, 3)
    assert (payments.max_concurrent, payments.read_timeout) == (4, 4)
    assert (pay.base_url, payments.base_url) == ("https://pay.test", "https://pay-ments.test")


def test_res_cfg_3_unprefixed_names_are_nobodys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("READ_TIMEOUT", "3")
    monkeypatch.setenv("CLIENT__READ_TIMEOUT", "3")
    env_file = tmp_path / "env"
    env_file.write_text("READ_TIMEOUT=3\nread_timeout=3\nMAX_CONCURRENT=3\nTOTAL_TIMEOUT=99\nauth_value=stolen\n")

    settings = load(PaySettings, env_file)

    assert (settings.read_timeout, settings.max_concurrent, settings.total_timeout) == (10, 16, 15)
    assert settings.auth_value is None


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLIENT_PAY__READ_TIMEOUT", "4")
    env_file = tmp_path / "env"
    env_file.write_text("CLIENT_PAY__READ_TIMEOUT=3\nCLIENT_PAY__CONNECT_TIMEOUT=2\n")

    settings = load(PaySettings, env_file)

    assert (settings.read_timeout, settings.connect_timeout) == (4, 2)


@pytest.mark.parametrize("prefix", ["", "PAY__", "CLIENT_PAY_", "CLIENT___", "CLIENT_A__B__"])
def test_res_cfg_3_a_subclass_needs_a_prefix_of_its_own(prefix: str) -> None:
    with pytest.raises(TypeError, match="R-RES-CFG-3"):
        type("Odd", (ClientSettings,), {"model_config": SettingsConfigDict(env_prefix=prefix), "__module__": __name__})


def test_res_iso_3_name_and_prefix_are_one_word() -> None:
    System("bank", settings=BankSettings, adapter=Bank)
    with pytest.raises(ValueError, match="CLIENT_BANQUE__"):
        System("banque", settings=BankSettings, adapter=Bank)


def test_secrets_do_not_show() -> None:
    settings = BankSettings(base_url="https://bank.test", auth_value=SecretStr("hunter2"))

    assert "hunter2" not in f"{settings!r} {settings}"


def test_res_cfg_1_settings_are_read_once_and_frozen() -> None:
    settings = load(BankSettings)

    with pytest.raises(ValidationError, match="frozen"):
        settings.read_timeout = 5.0
