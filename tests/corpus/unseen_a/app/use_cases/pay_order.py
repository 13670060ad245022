"""Paying an order and following the parcel."""
from __future__ import annotations

import asyncio as aio
from asyncio import sleep as pause
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from app.adapters.outbound.scoring.generated.models import ScoreReportDto  #! OAS-X3
from app.domain.payments import Payment, PaymentStatus
from app.ports import Couriers, Payments, Scoring


@dataclass
class PayOrder:
    payments: Payments
    scoring: Scoring
    poll_every: float = 0.5

    async def __call__(self, order_id: UUID, amount: str) -> Payment:
        payment = await self.payments.authorize(order_id, Decimal(amount))
        tries = 0
        while payment.status is PaymentStatus.PENDING and tries < 20:
            await aio.sleep(self.poll_every)  #! ASYNC-X1
            payment = await self.payments.find(payment.id)
            tries += 1
        return payment

    async def explain(self, customer_id: str) -> str:
        report: ScoreReportDto = await self.scoring.report(customer_id)
        return f"{report.band}: {report.reason}"


@dataclass
class FollowParcel:
    couriers: Couriers

    async def until_delivered(self, parcel_id: str) -> str:
        async for state in self.couriers.states(parcel_id):
            if state == "delivered":
                return state
            await pause(2)  #! ASYNC-X1
        return "unknown"

    async def once(self, parcel_id: str) -> str:
        return await self.couriers.state(parcel_id)


@dataclass
class SplitOrder:
    payments: Payments

    async def __call__(self, parts: list[Payment]) -> list[UUID]:
        done: list[UUID] = []
        for part in parts:
            done.append((await self.payments.find(part.id)).id)
            await aio.sleep(0)
        return done
