"""What the demo prints: its URLs, logins and commands to try."""

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Demo:
    """url, key: of the storefront. password: None if the staff user already existed."""

    url: str
    key: str
    staff_email: str
    password: str | None
    customer_email: str
    customer_password: str
    gift_card: str
    promotion: str


_FACTS = """
The demo shop is ready.

  Storefront key   {demo.key}
  Admin site       {demo.url}/admin/
  Staff login      {demo.staff_email}
  Password         {password}
  Customer login   {demo.customer_email}, {demo.customer_password}
  Gift card        {demo.gift_card}
  Promotion        {demo.promotion}
  API reference    {demo.url}/docs
  GraphQL          {demo.url}/graphiql
  Emails           {mails}

From a page in the browser, at any port of localhost:

  fetch("{demo.url}/store/products?limit=3", {{ headers: {{ "x-publishable-api-key": "{demo.key}" }} }})
    .then((response) => response.json())
    .then(console.log);
"""
_AS_STAFF = r"""
From another terminal, create a secret key as staff:

  [known]
  STAFF=$(curl --fail-with-body -s '[url]/auth/user/emailpass' -H 'content-type: application/json' \
    -d "{\"email\": \"[staff_email]\", \"password\": \"$PASSWORD\"}" | sed 's/.*"token":"\([^"]*\)".*/\1/')
  curl --fail-with-body -s '[url]/admin/api-keys' -H "authorization: Bearer $STAFF" \
    -H 'content-type: application/json' -d '{"title": "My program", "type": "secret"}'
"""
_WALK = r"""
From an empty cart to a payment session, as a guest:

  SHOP=[url] KEY=[key] TOKEN=
  store() {
    WHERE=$1; shift
    curl --fail-with-body -sg "$SHOP/store/$WHERE" -H "x-publishable-api-key: $KEY" \
      -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' "$@"
  }
  first() { sed 's/[^{]*{[^{]*{\{0,1\}"id":"\([^"]*\)".*/\1/'; }
  store 'product-categories?fields=name,handle,*category_children&parent_category_id=null'
  REGION=$(store 'regions?name=United%20Kingdom&fields=id' | first)
  VARIANT=$(store "product-variants?sku=ASSAM-100&fields=id&region_id=$REGION" | first)
  CART=$(store 'carts?fields=id' -d "{\"region_id\": \"$REGION\"}" | first)
  store "carts/$CART/line-items?fields=item_total" -d "{\"variant_id\": \"$VARIANT\", \"quantity\": 2}"
  store "carts/$CART?fields=email" -d '{"email": "[customer_email]",
    "shipping_address": {"address_1": "4 Ropewalk Lane", "city": "Whitby", "country_code": "gb"}}'
  OPTION=$(store "shipping-options?cart_id=$CART&fields=id" | first)
  store "carts/$CART/shipping-methods?fields=shipping_total,total" -d "{\"option_id\": \"$OPTION\"}"
  PROVIDER=$(store "payment-providers?region_id=$REGION" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  COLLECTION=$(store 'payment-collections?fields=id' -d "{\"cart_id\": \"$CART\"}" | first)
  store "payment-collections/$COLLECTION/payment-sessions?fields=amount,status,payment_sessions.status" \
    -d "{\"provider_id\": \"$PROVIDER\"}"

From the code of a gift card to store credit on the cart, as a customer:

  TOKEN=$(curl --fail-with-body -s "$SHOP/auth/customer/emailpass" -H 'content-type: application/json' \
    -d '{"email": "[customer_email]", "password": "[customer_password]"}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
  store "carts/$CART/customer?fields=customer_id" -X POST
  store 'gift-cards/[gift_card]/redeem?fields=status,value,currency_code' -X POST
  store 'store-credit-accounts?fields=currency_code,balance'
  store "carts/$CART/store-credits?fields=credit_line_total,total,payment_collection.amount" -d '{"amount": 5}'

And to the number of the order. The credit has changed the amount due, so the payment starts again:

  store "payment-collections/$COLLECTION/payment-sessions?fields=amount" -d "{\"provider_id\": \"$PROVIDER\"}"
  ORDER=$(store "carts/$CART/complete?fields=id" -X POST | first)
  store "orders/$ORDER?fields=total,payment_status,items.title,items.quantity"
  NUMBER=$(store "orders/$ORDER?fields=display_id" | sed 's/.*"display_id":\([0-9]*\).*/\1/')
  printf '\nYour order is number %s.\n' "$NUMBER"
"""


def greeting(demo: Demo) -> str:
    """The whole text. Its indented lines can be pasted into a shell or a browser's console."""
    change = _command("changepassword", demo.staff_email)
    password = demo.password or f"unchanged; set another with\n                   {change}"
    known = f"PASSWORD='{demo.password}'" if demo.password else "printf 'Password: '; read -r PASSWORD"
    as_staff = _AS_STAFF.replace("[known]", known).replace("[url]", demo.url).replace("[staff_email]", demo.staff_email)
    return _FACTS.format(demo=demo, password=password, mails=_mails()) + as_staff + walk(demo)


def _mails() -> str:
    """Where the emails of the shop can be read."""
    if not settings.EMAIL_FILE_PATH:
        return "sent as EMAIL_URL says"
    folder = Path(settings.EMAIL_FILE_PATH)
    named = folder.relative_to(settings.BASE_DIR) if folder.is_relative_to(settings.BASE_DIR) else folder
    return f"files in {named}/, which a mail program opens"


def _command(*words: str) -> str:
    """A shell line that runs a command of manage.py on this database, from the checkout's directory."""
    python = Path(sys.executable)
    program = python.relative_to(settings.BASE_DIR) if python.is_relative_to(settings.BASE_DIR) else python
    given = {"COMMERCE_ENV": "development"}
    if "DATABASE_URL" in os.environ and not (settings.HOME / ".env").exists():
        given["DATABASE_URL"] = os.environ["DATABASE_URL"]
    environment = " ".join(f"{name}={shlex.quote(value)}" for name, value in given.items())
    return f"{environment} {shlex.join([str(program), 'manage.py', *words])}"


def walk(demo: Demo) -> str:
    """A walk through the store API with curl, from an empty cart to an order."""
    text = _WALK
    for name in ("url", "key", "customer_email", "customer_password", "gift_card"):
        text = text.replace(f"[{name}]", getattr(demo, name))
    return text
