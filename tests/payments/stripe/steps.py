"""How far a charge has come at Stripe."""

from dataclasses import replace
from decimal import Decimal

from payments.providers.base import Charge, ProviderReport
from payments.providers.stripe import StripeProvider
from payments.states import SessionStatus
from tests.payments.stripe.fake import Fake


def started(provider: StripeProvider, charge: Charge) -> Charge:
    """The charge with what Stripe has said at its start."""
    return replace(charge, data=provider.start(charge, key="start").data)


def authorized(provider: StripeProvider, fake: Fake, charge: Charge) -> Charge:
    begun = started(provider, charge)
    fake.pay(begun.data["id"])
    return replace(begun, data=provider.authorize(begun, key="authorize").data)


def captured(provider: StripeProvider, fake: Fake, charge: Charge, amount: str) -> Charge:
    promised = authorized(provider, fake, charge)
    return replace(promised, data=provider.capture(promised, Decimal(amount), key="capture").data)


def amounts(report: ProviderReport) -> tuple[SessionStatus, Decimal | None, Decimal | None, Decimal | None]:
    return report.status, report.authorized, report.captured, report.refunded
