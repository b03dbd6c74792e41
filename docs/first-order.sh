#!/bin/sh
# From an empty cart to an order in the demo shop, by curl. `make demo` prints what to export first: SHOP and KEY.
set -eu
: "${SHOP:?export SHOP and KEY, as make demo prints them}" "${KEY:?export KEY, as make demo prints it}"
TOKEN=

say() { printf "\n%s\n" "$*"; }
store() {
  path=$1
  shift
  curl --fail-with-body -sSg "$SHOP/store/$path" -H "x-publishable-api-key: $KEY" \
    -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -w '\n' "$@"
}
first() { sed 's/[^{]*{[^{]*{\{0,1\}"id":"\([^"]*\)".*/\1/'; } # the first id of an answer
last() { sed 's/.*"id":"\([^"]*\)".*/\1/'; }

say "The menu of the shop, and two packets of Assam in a new cart:"
store 'product-categories?fields=name,handle&parent_category_id=null'
REGION=$(store 'regions?name=United%20Kingdom&fields=id' | first)
VARIANT=$(store "product-variants?sku=ASSAM-100&fields=id&region_id=$REGION" | first)
CART=$(store 'carts?fields=id' -d "{\"region_id\": \"$REGION\"}" | first)
store "carts/$CART/line-items?fields=item_total" -d "{\"variant_id\": \"$VARIANT\", \"quantity\": 2}"

say "An address, and a way to ship:"
store "carts/$CART?fields=email" -d '{"email": "mara@harbour.example",
  "shipping_address": {"address_1": "4 Ropewalk Lane", "city": "Whitby", "country_code": "gb"}}'
OPTION=$(store "shipping-options?cart_id=$CART&fields=id" | first)
store "carts/$CART/shipping-methods?fields=shipping_total,total" -d "{\"option_id\": \"$OPTION\"}"

say "Mara signs in, redeems a gift card, and pays 5.00 of the cart with her store credit:"
TOKEN=$(curl --fail-with-body -sS "$SHOP/auth/customer/emailpass" -H 'content-type: application/json' \
  -d '{"email": "mara@harbour.example", "password": "lapsang and biscuits"}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
store "carts/$CART/customer?fields=customer_id" -X POST
store 'gift-cards/DEMO-TEA-FOR-MARA/redeem?fields=status,value,currency_code' -X POST 2>/dev/null ||
  echo 'The gift card works once, and an earlier run has redeemed it.'
store 'store-credit-accounts?fields=currency_code,balance'
store "carts/$CART/store-credits?fields=credit_line_total,total" -d '{"amount": 5}'

say "She pays the rest:"
PROVIDER=$(store "payment-providers?region_id=$REGION" | last)
COLLECTION=$(store 'payment-collections?fields=id' -d "{\"cart_id\": \"$CART\"}" | first)
store "payment-collections/$COLLECTION/payment-sessions?fields=amount,status,payment_sessions.status" \
  -d "{\"provider_id\": \"$PROVIDER\"}"
ORDER=$(store "carts/$CART/complete?fields=id" -X POST | first)

say "The order:"
store "orders/$ORDER?fields=display_id,total,payment_status,items.title,items.quantity"
say "It is on the admin site, too: $SHOP/admin/orders/order/"
