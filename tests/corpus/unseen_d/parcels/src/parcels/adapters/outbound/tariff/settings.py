from pydantic_settings import BaseSettings, SettingsConfigDict


class TariffSettings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="TARIFF_")

    base_url: str = "https://tariff.example"
    table_url: str = "https://tariff.example/table.csv"
    total: float = 9.0  # looks like CFG-X1
    attempts: int = 3
    pool: int = 20
    threads: int = 4
