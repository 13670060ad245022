"""Arq-like jobs."""
import asyncio

from app.core.config import settings

EVERY_SECONDS = 60
BLINK = 1.5


async def collect(ctx, sample: str) -> None:
    lab = ctx["lab"]
    while True:  #! ASYNC-1-MAX
        result = await lab.result(sample)
        if result.ready:
            break
        await asyncio.sleep(BLINK)


async def collect_bounded(ctx, sample: str) -> bool:
    lab, tries = ctx["lab"], 0
    while True:  # looks like ASYNC-1-MAX
        result = await lab.result(sample)
        tries += 1
        if result.ready or tries >= settings.POLL_MAX:
            return result.ready
        await asyncio.sleep(BLINK)


async def nightly(ctx) -> None:
    await ctx["repo"].archive()
    await asyncio.sleep(EVERY_SECONDS * 5)  #! ASYNC-X2
    await ctx["repo"].vacuum()


async def pause_between(ctx, seconds: float = 7.5) -> None:
    await asyncio.sleep(seconds)  #! ASYNC-X2
    await ctx["repo"].vacuum()


async def settle(ctx) -> None:
    await asyncio.sleep(EVERY_SECONDS / 20)  # looks like ASYNC-X2
    await ctx["repo"].vacuum()
