// An order that is edited after it was bought, through the official SDK, unmodified: a shopper buys; staff begin an
// edit, add an item, change a line, mark the edit as ready and confirm it; the shopper pays the difference. Prints the
// money of the order after each step as JSON, as staff and the shopper see it.
import Medusa from "@medusajs/js-sdk"

const { SHOP, PUBLISHABLE_KEY, SECRET_KEY, PIN } = process.env
const { store, client: page } = new Medusa({ baseUrl: SHOP, publishableKey: PUBLISHABLE_KEY })
const { admin, client } = new Medusa({ baseUrl: SHOP, apiKey: SECRET_KEY })
const steps = {}
const failed = (call) => call.then(() => "none", ({ status, message }) => `${status}: ${message}`)

const { order } = await bought()
const { id } = order
const { order: paid } = await admin.order.retrieve(id)
await admin.payment.capture(paid.payment_collections[0].payments[0].id, {})
await see("bought")

const { order_change } = await admin.orderEdit.initiateRequest({ order_id: id, description: "By phone" })
await see("begun")
const added = await admin.orderEdit.addItems(id, { items: [{ variant_id: PIN, quantity: 1 }] })
await see("added", added)
const tea = paid.items.find((item) => item.quantity === 2)
const changed = await admin.orderEdit.updateOriginalItem(id, tea.id, { quantity: 3 })
await see("changed", changed)
const requested = await admin.orderEdit.request(id, {})
await see("requested", requested)
const outdated = await failed(admin.orderEdit.confirm(id, {}, { "If-Match": '"7"' }))
const confirmed = await admin.orderEdit.confirm(id, {}, { "If-Match": `"${requested.order_preview.version}"` })
await see("confirmed", confirmed)

const unmailed = { method: "POST", body: { no_notification: true } }
const link = await client.fetch(`/admin/orders/${id}/payment-links`, unmailed)
const path = `/store/payment-links/${link.payment_link.url.split("/").pop()}`
const { payment_link: asked } = await page.fetch(path)
const { payment_link: answered } = await page.fetch(path, {
  method: "POST", body: { provider_id: asked.payment_providers[0], amount: asked.amount },
})
await see("authorized")
const { order: owed } = await admin.order.retrieve(id)
const second = owed.payment_collections.find((collection) => collection.amount === asked.amount)
await admin.payment.capture(second.payments[0].id, {})
await see("captured")
const { order_changes } = await admin.order.listChanges(id)
console.log(JSON.stringify({
  id, steps, outdated, asked: asked.amount, left: answered.amount,
  changes: order_changes.map((change) => [change.id === order_change.id, change.change_type, change.status]),
}))

async function bought() {
  const { regions } = await store.region.list()
  const region_id = regions[0].id
  const { products } = await store.product.list({ region_id, fields: "*variants", order: "title", limit: 2 })
  const [tea, mug] = products.map((product) => product.variants[0].id)
  const items = [{ variant_id: tea, quantity: 2 }, { variant_id: mug, quantity: 1 }]
  let { cart } = await store.cart.create({ region_id, items })
  const address = {
    first_name: "Ann", last_name: "Lee", address_1: "1 Elm", city: "New York", country_code: "us", postal_code: "10001",
  }
  await store.cart.update(cart.id, { email: "ann@example.com", shipping_address: address, billing_address: address })
  const { shipping_options } = await store.fulfillment.listCartOptions({ cart_id: cart.id })
  ;({ cart } = await store.cart.addShippingMethod(cart.id, { option_id: shipping_options[0].id }))
  const { payment_providers } = await store.payment.listPaymentProviders({ region_id })
  await store.payment.initiatePaymentSession(cart, { provider_id: payment_providers[0].id })
  return store.cart.complete(cart.id)
}

async function see(step, { order_preview } = {}) {
  const { order: now } = await admin.order.retrieve(id)
  const { order: preview } = await admin.order.retrievePreview(id)
  const { order: shown } = await store.order.retrieve(id, { fields: "*payment_collections" })
  const money = ({ total, tax_total, summary }) => [total, tax_total, summary.pending_difference]
  steps[step] = {
    order: money(now), preview: money(preview), answer: order_preview ? money(order_preview) : null,
    lines: Object.fromEntries(preview.items.map((item) => [item.title, [item.quantity, item.total]])),
    version: now.version, payment: now.payment_status, shopper: [shown.total, shown.version],
    collections: shown.payment_collections.map(({ amount, status }) => [amount, status]).sort(),
  }
}
