from __future__ import annotations

import asyncio

import httpx
from aiobreaker import CircuitBreaker

from festival.gateways.badges import BadgeGateway
from festival.gateways.sessions import BadgeHttp, session
from festival.gateways.sponsors import SponsorAdapter
from festival.gateways.till import Till
from festival.gateways.weather import WeatherAdapter
from festival.settings import BADGES, SEATS, TILL


def outbound(settings) -> dict:
    shared_gate = asyncio.Semaphore(settings.calls)
    sponsors_http = httpx.AsyncClient(timeout=settings.total, limits=settings.limits)
    weather_http = httpx.AsyncClient(timeout=settings.total, limits=settings.limits)
    sponsors = SponsorAdapter(client=sponsors_http, gate=shared_gate)
    weather = WeatherAdapter(client=weather_http, gate=shared_gate)  #! ISO-X1
    return {"sponsors": sponsors, "weather": weather}


def outbound_with_breaker(settings) -> tuple:
    switch = CircuitBreaker(fail_max=settings.failures, name="partners")
    first = SponsorAdapter(client=settings.sponsors_http, breaker=switch)
    second = WeatherAdapter(client=settings.weather_http, breaker=switch)  #! ISO-X1
    return first, second


def outbound_apart(settings) -> tuple:
    first = SponsorAdapter(client=settings.sponsors_http, gate=asyncio.Semaphore(settings.sponsor_calls))
    second = WeatherAdapter(client=settings.weather_http, gate=asyncio.Semaphore(settings.weather_calls))  # looks like ISO-X1
    return first, second


def badges() -> BadgeGateway:
    return BadgeGateway(BadgeHttp(BADGES))


def till() -> Till:
    return Till(session(TILL))  # looks like ISO-X1


def seats():
    return session(SEATS)
