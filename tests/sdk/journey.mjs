// One order through the official SDK, unmodified: a shopper places it; a program packs, ships, refunds and takes back
// a part. Prints what the SDK returned at each step, as JSON. Reads the shop from the environment.
import Medusa from "@medusajs/js-sdk"

const { SHOP, PUBLISHABLE_KEY, SECRET_KEY } = process.env
const { store } = new Medusa({ baseUrl: SHOP, publishableKey: PUBLISHABLE_KEY })
const { admin, client } = new Medusa({ baseUrl: SHOP, apiKey: SECRET_KEY })

const placed = await shop()
const packed = await ship(placed.order)
const refunded = await refundPart(placed.order)
const returned = await takeBack(placed.order, placed.back)
const settled = await refundReturn(placed.order, returned.return)
const finished = await finish(placed.order)
console.log(JSON.stringify({ placed, packed, refunded, returned, settled, finished }))

async function shop() {
  const { regions } = await store.region.list()
  const region_id = regions[0].id
  const { products } = await store.product.list({ region_id, fields: "*variants.calculated_price", order: "title" })
  const [tea, mug] = products.map((product) => product.variants[0])
  let { cart } = await store.cart.create({ region_id })
  await store.cart.createLineItem(cart.id, { variant_id: tea.id, quantity: 2 })
  ;({ cart } = await store.cart.createLineItem(cart.id, { variant_id: mug.id, quantity: 1 }))
  await store.cart.updateLineItem(cart.id, cart.items.find((item) => item.variant_id === tea.id).id, { quantity: 3 })
  const address = {
    first_name: "Ann", last_name: "Lee", address_1: "1 Elm", address_2: "", company: "", phone: "",
    city: "New York", country_code: "us", province: "", postal_code: "10001",
  }
  await store.cart.update(cart.id, { email: "ann@example.com", shipping_address: address, billing_address: address })
  const { shipping_options } = await store.fulfillment.listCartOptions({ cart_id: cart.id })
  ;({ cart } = await store.cart.addShippingMethod(cart.id, { option_id: shipping_options[0].id }))
  const { shipping_options: back } = await store.fulfillment.listCartOptions({ cart_id: cart.id, is_return: true })
  const { payment_providers } = await store.payment.listPaymentProviders({ region_id })
  await store.payment.initiatePaymentSession(cart, { provider_id: payment_providers[0].id })
  const { type, order } = await store.cart.complete(cart.id)
  const { order: seen } = await store.order.retrieve(order.id, { fields: "*payment_collections.payments" })
  return { type, order, seen, price: tea.calculated_price.calculated_amount, back: back[0] }
}

async function ship({ id }) {
  const found = await admin.order.list({ q: "ann@example.com", fields: "id,email,total" })
  const { order } = await admin.order.retrieve(id)
  const { payment } = await admin.payment.capture(order.payment_collections[0].payments[0].id, {})
  const items = order.items.map(({ id, quantity }) => ({ id, quantity }))
  const { order: packed } = await admin.order.createFulfillment(id, { items })
  const { id: fulfillment } = packed.fulfillments[0]
  const labels = [{ tracking_number: "T1", tracking_url: "https://carrier.example/T1", label_url: "" }]
  await admin.order.createShipment(id, fulfillment, { items, labels })
  const { order: delivered } = await admin.order.markAsDelivered(id, fulfillment)
  const lines = await admin.order.listLineItems(id)
  return { found, payment, packed, delivered, lines }
}

async function takeBack({ id }, back) {
  const { order } = await admin.order.retrieve(id)
  const [three, one] = order.items.toSorted((a, b) => b.quantity - a.quantity)
  const { return_reason } = await admin.returnReason.create({ value: "worn", label: "Worn" })
  const { return: begun } = await admin.return.initiateRequest({ order_id: id })
  const items = [{ id: three.id, quantity: 1, reason_id: return_reason.id }, { id: one.id, quantity: 1 }]
  const { return: filled } = await admin.return.addReturnItem(begun.id, { items })
  const action = (line) => filled.items.find((item) => item.item_id === line.id).id
  await admin.return.updateReturnItem(begun.id, action(three), { quantity: 3 })
  await admin.return.removeReturnItem(begun.id, action(one))
  const shipping = { shipping_option_id: back.id }
  const fields = { fields: "*shipping_methods" }
  const { return: shipped } = await admin.return.addReturnShipping(begun.id, shipping, fields)
  await admin.return.updateReturnShipping(begun.id, shipped.shipping_methods[0].id, { custom_amount: 3 })
  const { return: requested } = await admin.return.confirmRequest(begun.id, {})
  await admin.return.initiateReceive(begun.id, {})
  await admin.return.receiveItems(begun.id, { items: [{ id: three.id, quantity: 2 }] })
  await admin.return.dismissItems(begun.id, { items: [{ id: three.id, quantity: 1 }] })
  await admin.return.updateReceiveItem(begun.id, action(three), { quantity: 1 })
  await admin.return.removeDismissItem(begun.id, action(three))
  await admin.return.receiveItems(begun.id, { items: [{ id: three.id, quantity: 2 }] })
  await admin.return.dismissItems(begun.id, { items: [{ id: three.id, quantity: 1 }] })
  const { return: received } = await admin.return.confirmReceive(begun.id, {})
  const { order_changes: changes } = await admin.order.listChanges(id)
  return { requested, return: received, listed: await admin.return.list({ order_id: id }), changes }
}

async function refundPart({ id }) {
  const { refund_reason } = await admin.refundReason.create({ code: "late", label: "Late" })
  const { order } = await admin.order.retrieve(id)
  const paid = order.payment_collections[0].payments[0].id
  return admin.payment.refund(paid, { amount: 4, refund_reason_id: refund_reason.id, note: "Late" })
}

async function refundReturn({ id }, { id: return_id }) {
  const { order } = await admin.order.retrieve(id)
  const body = { amount: -order.summary.pending_difference, return_id }
  return client.fetch(`/admin/orders/${id}/refunds`, { method: "POST", body })
}

async function finish({ id }) {
  await admin.order.complete(id, {})
  const { order } = await admin.order.archive(id)
  const { message, status } = await admin.order.cancel(id).catch((error) => error)
  return { order, refusal: { message, status }, seen: (await store.order.retrieve(id)).order }
}
