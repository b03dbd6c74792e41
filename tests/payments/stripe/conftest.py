from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from payments.models import PaymentSession
from payments.providers.base import Charge
from payments.providers.stripe import StripeProvider
from shop.models import PaymentProvider
from shop.providers.provider_code import load_provider
from tests.factories.payments import session as new_session
from tests.payments.stripe.fake import WEBHOOK_SECRET, Fake, running_fake
from tests.payments.stripe.fake_server import KEY

PROVIDER_ID = "pp_stripe_stripe"


@pytest.fixture(scope="session")
def stripe_process() -> Iterator[Fake]:
    with running_fake() as fake:
        yield fake


@pytest.fixture
def fake(stripe_process: Fake, settings: Any) -> Iterator[Fake]:
    """Stripe, new, and the shop set up for it."""
    stripe_process.reset()
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = KEY, WEBHOOK_SECRET
    settings.STRIPE_API_BASE, settings.STRIPE_CAPTURE = stripe_process.base, "manual"
    settings.PAYMENT_PROVIDERS = {
        **settings.PAYMENT_PROVIDERS,
        PROVIDER_ID: "payments.providers.stripe.StripeProvider",
    }
    load_provider.cache_clear()
    yield stripe_process
    load_provider.cache_clear()


@pytest.fixture
def provider(fake: Fake) -> StripeProvider:
    return StripeProvider()


@pytest.fixture
def session(fake: Fake, db: None) -> PaymentSession:
    """One over 50 dollars, of a shop that has switched Stripe on."""
    PaymentProvider.objects.filter(pk=PROVIDER_ID).update(is_enabled=True)
    return new_session(provider_id=PROVIDER_ID)


@pytest.fixture
def charge() -> Charge:
    return charged("50.00")


def charged(amount: str, currency_code: str = "usd", **given: Any) -> Charge:
    """A session of that amount, as it is before it was started."""
    return Charge("payses_1", Decimal(amount), currency_code, "cart_1", None, **{"data": {}, **given})
