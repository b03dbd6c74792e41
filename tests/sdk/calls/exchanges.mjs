// Exchanges and claims of an order of two lines, which were delivered.

const exchange = (/** @type {import("./calls").Answers} */ seen) => seen["exchange.create"].exchange.id
const claim = (/** @type {import("./calls").Answers} */ seen) => seen["claim.create"].claim.id
/** The action on that line in the answer of the call. */
const step = (/** @type {import("./calls").Answers} */ seen, /** @type {Adding} */ call, /** @type {string} */ line) =>
  actions(seen[call].order_preview.items.filter(({ id }) => id === line))
/** The action that adds that variant in the answer of the call. */
const sent = (/** @type {import("./calls").Answers} */ seen, /** @type {Adding} */ call, /** @type {string} */ of) =>
  actions(seen[call].order_preview.items.filter(({ variant_id }) => variant_id === of))
/** The action that adds a shipping method in the answer of the call. */
const method = (/** @type {import("./calls").Answers} */ seen, /** @type {Adding} */ call) =>
  actions(seen[call].order_preview.shipping_methods)
const actions = (/** @type {{ actions?: { id: string }[] }[]} */ parts) =>
  parts.flatMap(({ actions }) => actions ?? [])[0].id
const units = (/** @type {string[]} */ ...ids) =>
  ({ items: ids.map((id) => ({ id, quantity: 1, internal_note: "Scratched" })) })
const variants = (/** @type {string[]} */ ...ids) => ({ items: ids.map((id) => ({ variant_id: id, quantity: 1 })) })

/** @typedef {"exchange.addInboundItems" | "exchange.addInboundShipping" | "exchange.addOutboundItems"
 *   | "exchange.addOutboundShipping" | "claim.addInboundItems" | "claim.addInboundShipping" | "claim.addItems"
 *   | "claim.addOutboundItems" | "claim.addOutboundShipping"} Adding
 */

/** @type {import("./calls").Calls} */
export const EXCHANGES = {
  "exchange.create": (rows) => [{ order_id: rows.order_to_exchange, description: "By phone" }],
  "exchange.addInboundItems": (rows, seen) => [
    exchange(seen), units(rows.exchanged, rows.not_exchanged),
  ],
  "exchange.updateInboundItem": (rows, seen) => [
    exchange(seen), step(seen, "exchange.addInboundItems", rows.exchanged), { quantity: 2, reason_id: rows.reason },
  ],
  "exchange.removeInboundItem": (rows, seen) => [
    exchange(seen), step(seen, "exchange.addInboundItems", rows.not_exchanged),
  ],
  "exchange.addInboundShipping": (rows, seen) => [
    exchange(seen), { shipping_option_id: rows.return_option, custom_amount: 2 },
  ],
  "exchange.updateInboundShipping": (rows, seen) => [
    exchange(seen), method(seen, "exchange.addInboundShipping"), { custom_amount: 3 },
  ],
  "exchange.deleteInboundShipping": (rows, seen) => [exchange(seen), method(seen, "exchange.addInboundShipping")],
  "exchange.addOutboundItems": (rows, seen) => [
    exchange(seen), variants(rows.variant_to_send, rows.variant_to_keep),
  ],
  "exchange.updateOutboundItem": (rows, seen) => [
    exchange(seen), sent(seen, "exchange.addOutboundItems", rows.variant_to_send), { quantity: 2 },
  ],
  "exchange.removeOutboundItem": (rows, seen) => [
    exchange(seen), sent(seen, "exchange.addOutboundItems", rows.variant_to_keep),
  ],
  "exchange.addOutboundShipping": (rows, seen) => [exchange(seen), { shipping_option_id: rows.option_to_send_by }],
  "exchange.updateOutboundShipping": (rows, seen) => [
    exchange(seen), method(seen, "exchange.addOutboundShipping"), { custom_amount: 1 },
  ],
  "exchange.deleteOutboundShipping": (rows, seen) => [exchange(seen), method(seen, "exchange.addOutboundShipping")],
  "exchange.request": (rows, seen) => [exchange(seen), { no_notification: true }],
  "exchange.list": (rows) => [{ order_id: rows.order_to_exchange }],
  "exchange.retrieve": (rows, seen) => [exchange(seen)],
  "exchange.cancel": (rows, seen) => [exchange(seen)],
  "exchange.cancelRequest": (rows) => [rows.exchange_not_to_request],
  "claim.create": (rows) => [{ order_id: rows.order_to_claim, type: "replace", reason_id: rows.reason }],
  "claim.addInboundItems": (rows, seen) => [
    claim(seen), units(rows.claimed, rows.also_claimed),
  ],
  "claim.updateInboundItem": (rows, seen) => [
    claim(seen), step(seen, "claim.addInboundItems", rows.claimed), { quantity: 2, reason_id: rows.reason },
  ],
  "claim.removeInboundItem": (rows, seen) => [claim(seen), step(seen, "claim.addInboundItems", rows.also_claimed)],
  "claim.addInboundShipping": (rows, seen) => [
    claim(seen), { shipping_option_id: rows.return_option, custom_amount: 2 },
  ],
  "claim.updateInboundShipping": (rows, seen) => [
    claim(seen), method(seen, "claim.addInboundShipping"), { custom_amount: 3 },
  ],
  "claim.deleteInboundShipping": (rows, seen) => [claim(seen), method(seen, "claim.addInboundShipping")],
  "claim.addItems": (rows, seen) => [
    claim(seen), { items: [{ id: rows.also_claimed, quantity: 1, reason: /** @type {any} */ ("missing_item") }] },
  ],
  "claim.updateItem": (rows, seen) => [
    claim(seen), step(seen, "claim.addItems", rows.also_claimed), { quantity: 2, internal_note: "Called" },
  ],
  "claim.removeItem": (rows, seen) => [claim(seen), step(seen, "claim.addItems", rows.also_claimed)],
  "claim.addOutboundItems": (rows, seen) => [
    claim(seen), variants(rows.variant_to_send, rows.variant_to_keep),
  ],
  "claim.updateOutboundItem": (rows, seen) => [
    claim(seen), sent(seen, "claim.addOutboundItems", rows.variant_to_send), { quantity: 2 },
  ],
  "claim.removeOutboundItem": (rows, seen) => [
    claim(seen), sent(seen, "claim.addOutboundItems", rows.variant_to_keep),
  ],
  "claim.addOutboundShipping": (rows, seen) => [claim(seen), { shipping_option_id: rows.option_to_send_by }],
  "claim.updateOutboundShipping": (rows, seen) => [
    claim(seen), method(seen, "claim.addOutboundShipping"), { custom_amount: 1 },
  ],
  "claim.deleteOutboundShipping": (rows, seen) => [claim(seen), method(seen, "claim.addOutboundShipping")],
  "claim.request": (rows, seen) => [claim(seen), {}],
  "claim.list": (rows) => [{ order_id: rows.order_to_claim }],
  "claim.retrieve": (rows, seen) => [claim(seen)],
  "claim.cancel": (rows, seen) => [claim(seen)],
  "claim.cancelRequest": (rows) => [rows.claim_not_to_request],
}
