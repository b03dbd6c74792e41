// A shopper goes through a storefront while promotions come and go: the calls and fields of Medusa's two Next.js
// storefronts, through the official SDK. A program makes the promotions. Prints the cart after each step, as JSON.
import Medusa from "@medusajs/js-sdk"

const { SHOP, PUBLISHABLE_KEY, SECRET_KEY } = process.env
const { store } = new Medusa({ baseUrl: SHOP, publishableKey: PUBLISHABLE_KEY })
const { admin } = new Medusa({ baseUrl: SHOP, apiKey: SECRET_KEY })
const CART = "*items, *region, *items.product, *items.variant, *items.thumbnail, *items.metadata, +items.total, " +
  "*promotions, +shipping_methods.name"

const { regions: [{ id: region_id }] } = await store.region.list()
const { products } = await store.product.list({ region_id, fields: "*variants.calculated_price", order: "title" })
const [cup, pot] = products.map((product) => product.variants[0])
const promotions = await promote()

const { cart: { id } } = await store.cart.create({ region_id })
const steps = {}
await add(pot)
await add(pot)
await ship()
await keep("two pots, free shipping")
for (const _ of [1, 2, 3]) await add(cup)
await keep("three cups, one of them free")
await enter("FIVE")
await keep("a code")
await count(cup, 2)
await keep("two cups")
await remove(cup)
await keep("no cups, below the code's minimum")
await count(pot, 1)
await keep("one pot, below both minimums")
await count(pot, 3)
await keep("three pots, and the code is back")
await admin.promotion.update(promotions.FIVE, { status: "inactive" })
await count(pot, 4)
await keep("the code has ended")
const refusal = await enter("FIVE").catch(({ status, message }) => ({ status, message }))
const order = await buy()
console.log(JSON.stringify({ steps, refusal, order }))

async function promote() {
  const offers = [
    {
      code: "FREE", type: "standard", is_automatic: true,
      rules: [{ attribute: "item_total", operator: "gte", values: "50" }],
      application_method: {
        type: "percentage", value: 100, target_type: "shipping_methods", allocation: "each", currency_code: "eur",
      },
    },
    {
      code: "CUPS", type: "buyget", is_automatic: true,
      application_method: {
        type: "percentage", value: 100, target_type: "items", allocation: "each",
        buy_rules_min_quantity: 2, apply_to_quantity: 1, buy_rules: [cups()], target_rules: [cups()],
      },
    },
    {
      code: "FIVE", type: "standard", is_tax_inclusive: true,
      rules: [{ attribute: "item_total", operator: "gte", values: "60" }],
      application_method: { type: "fixed", value: 5, currency_code: "eur", target_type: "order" },
    },
  ]
  const made = {}
  for (const offer of offers) {
    const { promotion } = await admin.promotion.create({ status: "active", ...offer })
    made[promotion.code] = promotion.id
  }
  return made
}

function cups() {
  return { attribute: "items.product.id", operator: "in", values: [cup.product_id] }
}

async function read() {
  const { cart } = await store.cart.retrieve(id, { fields: CART })
  return cart
}

async function keep(step) {
  steps[step] = await read()
}

async function add({ id: variant_id }) {
  await store.cart.createLineItem(id, { variant_id, quantity: 1 })
}

async function line(variant) {
  return (await read()).items.find((item) => item.variant_id === variant.id).id
}

async function count(variant, quantity) {
  await store.cart.updateLineItem(id, await line(variant), { quantity })
}

async function remove(variant) {
  await store.cart.deleteLineItem(id, await line(variant))
}

async function enter(code) {  // both storefronts send all codes that shall apply
  const codes = (await read()).promotions.filter(({ is_automatic }) => !is_automatic).map(({ code }) => code)
  await store.cart.update(id, { promo_codes: [...codes, code] })
}

async function ship() {
  const address = {
    first_name: "Ann", last_name: "Lee", address_1: "Elmweg 1", address_2: "", company: "", phone: "",
    city: "Kiel", country_code: "de", province: "", postal_code: "24103",
  }
  await store.cart.update(id, { email: "ann@example.com", shipping_address: address, billing_address: address })
  const { shipping_options: [{ id: option_id }] } = await store.fulfillment.listCartOptions({ cart_id: id })
  await store.cart.addShippingMethod(id, { option_id })
}

async function buy() {
  const { payment_providers: [{ id: provider_id }] } = await store.payment.listPaymentProviders({ region_id })
  await store.payment.initiatePaymentSession(await read(), { provider_id })
  return (await store.cart.complete(id)).order
}
