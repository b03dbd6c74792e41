"""`manage.py demo`: a shop to try, with data, a staff login and a storefront key."""

import secrets
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from apikeys.issuance import issue
from apikeys.models import ApiKey
from apikeys.states import KeyType
from catalog.models import ProductCategory
from commerce.operations.demo.demo_greeting import Demo, greeting
from commerce.operations.migration_state import pending_migrations
from commerce.operations.roles.role_setup import set_up_roles
from commerce.operations.server.addresses import address
from commerce.operations.server.listening import port_number, require_free_port
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from staff.models import User

SHOP = Path(__file__).parents[2] / "demo.shop.json"
STAFF_EMAIL = "admin@quayside.example"
KEY_TITLE = "Storefront"
CUSTOMER_EMAIL, CUSTOMER_PASSWORD = "mara@harbour.example", "lapsang and biscuits"
GIFT_CARD, PROMOTION = "DEMO-TEA-FOR-MARA", "FIRSTPOT"
WEB_PROCESSES = 1
"""One answers four requests at a time: what people who try the shop need of their machine's memory."""


class Command(OperatorCommand):
    """Prepares the demo shop and serves it. Running it again changes no existing data."""

    help = "Fill an empty database with a small shop, create a staff user and a storefront key, and serve it."
    examples = ("demo", "demo --port 9000")

    def add_arguments(self, parser: CommandParser) -> None:
        """Host and port as for `serve`."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=port_number, default=8000)
        parser.add_argument("--no-serve", action="store_true", help="prepare the shop and stop")

    def handle(self, *, host: str, port: int, no_serve: bool, **options: object) -> None:
        """Raises CommandError for a taken port, and in production."""
        if settings.PRODUCTION:
            raise CommandError("The demo is for development: set COMMERCE_ENV=development, or run `make demo`.")
        if not no_serve:
            require_free_port(host, port)
        if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
            Path(settings.DATABASES["default"]["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        is_new_code = bool(pending_migrations())
        if is_new_code and not no_serve:
            self.stdout.write("Preparing the demo shop, which takes up to a minute …")
            self.stdout.flush()
        call_command("migrate", verbosity=0)
        if is_new_code or not ProductCategory.objects.exists():  # otherwise a visitor's changes would be undone
            call_command("load_shop", str(SHOP), stdout=StringIO())
            set_up_roles()
        if no_serve:
            self._greet(address(host, port))
            return
        greeting = ["demo", "--no-serve", "--host", host, "--port", str(port)]  # the server is there when it is run
        call_command("serve", host=host, port=port, workers=WEB_PROCESSES, then=greeting)

    def _greet(self, url: str) -> None:
        """Create the staff user and the key, and print them: the password is shown only this once."""
        demo = Demo(
            url=url,
            key=_storefront_key(),
            staff_email=STAFF_EMAIL,
            password=_staff_password(),
            customer_email=CUSTOMER_EMAIL,
            customer_password=CUSTOMER_PASSWORD,
            gift_card=GIFT_CARD,
            promotion=PROMOTION,
        )
        self.stdout.write(greeting(demo))
        self.stdout.flush()


def _staff_password() -> str | None:
    """The random password of the new staff user; None if the user already exists."""
    if User.objects.filter(email=STAFF_EMAIL).exists():
        return None
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(STAFF_EMAIL, password, first_name="Ada", last_name="Quay")
    return password


def _storefront_key() -> str:
    """The token of the active key with that title, created if there is none."""
    keys = ApiKey.objects.active().filter(title=KEY_TITLE, type=KeyType.PUBLISHABLE)
    key = keys.order_by("id").first()
    if key is not None:
        token: str = key.token
        return token
    return issue(actor=SYSTEM, title=KEY_TITLE, type=KeyType.PUBLISHABLE).token
