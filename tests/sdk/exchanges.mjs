// Staff exchange a unit of a delivered order, and settle a claim about another. Prints as JSON what the SDK returned.
import Medusa from "@medusajs/js-sdk"

const { SHOP, SECRET_KEY, ROWS } = process.env
const { admin } = new Medusa({ baseUrl: SHOP, apiKey: SECRET_KEY })
const { exchanged, claimed, exchangedLine, claimedLine, variant, claimedVariant } = JSON.parse(ROWS)
const { location } = JSON.parse(ROWS)

/** The lines that the change has added are packed and shipped. */
async function sent(orderId, change) {
  const items = change.additional_items.map(({ item_id, quantity }) => ({ id: item_id, quantity }))
  const { order } = await admin.order.createFulfillment(orderId, { items })
  const { id } = order.fulfillments.at(-1)
  return admin.order.createShipment(orderId, id, { items, labels: [] })
}

async function exchange() {
  const { exchange: begun, order } = await admin.exchange.create({ order_id: exchanged, description: "By phone" })
  const back = await admin.exchange.addInboundItems(
    begun.id, { items: [{ id: exchangedLine, quantity: 1 }], location_id: location },
  )
  const { order_preview: preview } = await admin.exchange.addOutboundItems(
    begun.id, { items: [{ variant_id: variant, quantity: 1 }] },
  )
  const { exchange: requested, return: made } = await admin.exchange.request(begun.id, {})
  await sent(exchanged, requested)
  await admin.return.initiateReceive(made.id, {})
  await admin.return.receiveItems(made.id, { items: [{ id: exchangedLine, quantity: 1 }] })
  const { return: received } = await admin.return.confirmReceive(made.id, {})
  const ended = await admin.order.retrieve(exchanged, { fields: "total,*summary,*items,*items.detail" })
  const { exchange: seen } = await admin.exchange.retrieve(begun.id, { fields: "+return.status" })
  return { begun, order, toCome: back.return, preview, requested, received, seen, ended: ended.order }
}

async function claim() {
  const { claim: begun } = await admin.claim.create({ order_id: claimed, type: "replace" })
  await admin.claim.addItems(begun.id, { items: [{ id: claimedLine, quantity: 1, reason: "production_failure" }] })
  await admin.claim.addOutboundItems(begun.id, { items: [{ variant_id: claimedVariant, quantity: 1 }] })
  const { claim: requested, order_preview: after } = await admin.claim.request(begun.id, {})
  await sent(claimed, requested)
  const { claims } = await admin.claim.list({ order_id: claimed })
  const { order } = await admin.order.retrieve(claimed, { fields: "total,*summary,*items,*items.detail" })
  return { begun, requested, after, claims, ended: order }
}

console.log(JSON.stringify({ exchange: await exchange(), claim: await claim() }))
