"""How an operator switches Stripe on, and how the shop starts without it."""

import subprocess
import sys

import pytest

from payments.errors import ProviderNotEnabled
from shop.models import PaymentProvider
from tests.factories.payments import session as new_session
from tests.kit.admin.forms import save
from tests.kit.admin.visits import superuser
from tests.payments.stripe.conftest import PROVIDER_ID

WITHOUT_LIBRARY = "import sys; sys.modules['stripe'] = None\n"
START = "import django; django.setup(); import commerce.urls; from django.conf import settings\n"
STRIPE = f"print(settings.PAYMENT_PROVIDERS.get('{PROVIDER_ID}'), 'stripe' in sys.modules)"


def started(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A process of the shop with that environment and nothing else of ours."""
    whole = {"COMMERCE_ENV": "development", "DJANGO_SETTINGS_MODULE": "commerce.settings", **environment}
    whole["DATABASE_URL"] = "sqlite://:memory:"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=whole, capture_output=True, text=True, check=False, timeout=120)


def test_the_shop_starts_without_the_library() -> None:
    done = started(f"{WITHOUT_LIBRARY}{START}print(settings.PAYMENT_PROVIDERS)")
    assert done.stdout.splitlines() == ["{'pp_system_default': 'payments.providers.system.SystemProvider'}"], (
        done.stderr
    )


def test_a_secret_key_enters_stripe_and_loads_nothing_yet() -> None:
    done = started(f"import sys\n{START}{STRIPE}", STRIPE_SECRET_KEY="sk_test_1")
    assert done.stdout.splitlines() == ["payments.providers.stripe.StripeProvider False"], done.stderr


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"STRIPE_SECRET_KEY": "sk_test_1"}, "make install EXTRAS=stripe"),
        ({"STRIPE_CAPTURE": "later"}, "STRIPE_CAPTURE must be manual or automatic, not 'later'."),
    ],
    ids=["no library", "no such capture"],
)
def test_what_cannot_work_is_reported_at_the_start(environment: dict[str, str], message: str) -> None:
    done = started(f"{WITHOUT_LIBRARY}{START}", **environment)
    assert done.returncode == 1
    assert message in done.stderr.splitlines()[-1]
    assert "sk_test_1" not in done.stderr


@pytest.mark.django_db
def test_stripe_is_there_for_staff_to_switch_on() -> None:
    assert PaymentProvider.objects.get(pk=PROVIDER_ID).is_enabled is False
    with pytest.raises(ProviderNotEnabled):
        new_session(provider_id=PROVIDER_ID)
    save(superuser(), f"/admin/shop/paymentprovider/{PROVIDER_ID}/change/", {"is_enabled": "on"})
    assert PaymentProvider.objects.get(pk=PROVIDER_ID).is_enabled is True
    with pytest.raises(ProviderNotEnabled):  # nobody has given the shop a secret key
        new_session(provider_id=PROVIDER_ID)
