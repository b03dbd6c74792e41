"""What the demo tells: where it is served, who may sign in, and what to type."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Demo:
    """url, key: of the storefront. password: None where the staff user was there before, and so has one."""

    url: str
    key: str
    staff_email: str
    password: str | None
    customer_email: str
    customer_password: str
    gift_card: str


_FACTS = """
The demo shop is ready.

  Storefront key   {demo.key}
  Admin site       {demo.url}/admin/
  Staff login      {demo.staff_email}
  Password         {password}
  Customer login   {demo.customer_email}, {demo.customer_password}
  Gift card        {demo.gift_card}
  API reference    {demo.url}/docs
"""
_AS_STAFF = """
Try it from another terminal. A secret key, made by staff:

  curl '{demo.url}/auth/user/emailpass' -H 'content-type: application/json' \\
    -d '{{"email": "{demo.staff_email}", "password": "{shown_password}"}}'

  curl '{demo.url}/admin/api-keys' -H 'authorization: Bearer TOKEN-OF-THE-ANSWER-ABOVE' \\
    -H 'content-type: application/json' -d '{{"title": "My program", "type": "secret"}}'
"""
_WALK = r"""
From an empty cart to a payment session:

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

And from the code of a gift card to store credit on the cart:

  TOKEN=$(curl --fail-with-body -s "$SHOP/auth/customer/emailpass" -H 'content-type: application/json' \
    -d '{"email": "[customer_email]", "password": "[customer_password]"}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
  store "carts/$CART/customer?fields=customer_id" -X POST
  store 'gift-cards/[gift_card]/redeem?fields=status,value,currency_code' -X POST
  store 'store-credit-accounts?fields=currency_code,balance'
  store "carts/$CART/store-credits?fields=credit_line_total,total,payment_collection.amount" -d '{"amount": 5}'
"""


def greeting(demo: Demo) -> str:
    """All of it, ready to be printed; its indented lines are ready for a shell."""
    told = _FACTS.format(
        demo=demo, password=demo.password or f"as before; reset it by: manage.py changepassword {demo.staff_email}"
    )
    secret_key = _AS_STAFF.format(demo=demo, shown_password=demo.password or "YOUR-PASSWORD")
    return told + secret_key + walk(demo)


def walk(demo: Demo) -> str:
    """Two walks through the store by curl; the second goes on where the first ends."""
    text = _WALK
    for name in ("url", "key", "customer_email", "customer_password", "gift_card"):
        text = text.replace(f"[{name}]", getattr(demo, name))
    return text
