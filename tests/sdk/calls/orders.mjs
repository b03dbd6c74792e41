// Stock, orders, payments and returns. Of an order that is followed to its end, lines are first, second and third.

const BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const PIXEL = new File([Uint8Array.from(atob(BASE64), (byte) => byte.charCodeAt(0))], "tea.png", { type: "image/png" })
const LABEL = { tracking_number: "T1", tracking_url: "https://carrier.example/T1", label_url: "" }
const items = (/** @type {import("./calls").Answers} */ seen) =>
  seen["order.retrieve"].order.items.map(({ id, quantity }) => ({ id, quantity }))
const packed = (/** @type {import("./calls").Answers} */ seen) =>
  seen["order.createFulfillment"].order.fulfillments[0].id
const returned = (/** @type {import("./calls").Answers} */ seen) => seen["return.initiateRequest"].return.id
const action = (/** @type {import("./calls").Answers} */ seen, /** @type {string} */ line) =>
  seen["return.addReturnItem"].return.items.find((item) => item.item_id === line).id
const asked = (/** @type {import("./calls").Answers} */ seen) =>
  seen["paymentCollection.createPaymentSession"].payment_collection.payment_sessions[0].id
const added = (/** @type {import("./calls").Answers} */ seen) =>
  seen["orderEdit.addItems"].order_preview.items.flatMap(({ actions }) => actions ?? [])[0].id
const shipping = (/** @type {import("./calls").Answers} */ seen) =>
  seen["return.addReturnShipping"].return["shipping_methods"][0].id
const drafted = (/** @type {import("./calls").Answers} */ seen) => seen["draftOrder.create"].draft_order.id
const ofDraft = (/** @type {any} */ { draft_order_preview }) =>
  draft_order_preview.items.flatMap(({ actions }) => actions)[0].id
const addedMethod = (/** @type {any} */ { draft_order_preview }) =>
  draft_order_preview.shipping_methods.flatMap(({ actions }) => actions)[0].id
const methodOfDraft = (/** @type {import("./calls").Answers} */ seen, /** @type {string} */ option) =>
  seen["draftOrder.retrieve"].draft_order.shipping_methods.find((method) => method.shipping_option_id === option).id

/** @type {import("./calls").Calls} */
export const ORDERS = {
  "inventoryItem.create": (rows) => [{
    sku: "CUP", title: "Cup", requires_shipping: true, weight: 300, origin_country: "jp", material: "Clay",
    location_levels: [{ location_id: rows.location, stocked_quantity: 5 }],
  }],
  "inventoryItem.export": () => [{}, { q: "cup" }],
  "inventoryItem.list": () => [{ q: "cup", limit: 20 }],
  "inventoryItem.retrieve": (rows, seen) => [seen["inventoryItem.create"].inventory_item.id],
  "inventoryItem.update": (rows, seen) => [seen["inventoryItem.create"].inventory_item.id, { title: "Tea cup" }],
  "inventoryItem.listLevels": (rows) => [rows.item],
  "inventoryItem.updateLevel": (rows) => [rows.item, rows.location, { stocked_quantity: 20 }],
  "inventoryItem.batchUpdateLevels": (rows) => [
    rows.item, { update: [{ location_id: rows.location, stocked_quantity: 21 }], create: [], delete: [] },
  ],
  "inventoryItem.batchInventoryItemLocationLevels": (rows) => [
    rows.item, { create: [{ location_id: rows.spare_location }], update: [], delete: [] },
  ],
  "inventoryItem.deleteLevel": (rows) => [rows.item, rows.spare_location],
  "inventoryItem.batchInventoryItemsLocationLevels": (rows) => [{
    create: [], update: [{ inventory_item_id: rows.item, location_id: rows.location, stocked_quantity: 22 }], delete: [],
  }],
  "reservation.create": (rows) => [
    { inventory_item_id: rows.item, location_id: rows.location, quantity: 2, description: "For the fair" },
  ],
  "reservation.list": (rows) => [{ location_id: [rows.location] }],
  "reservation.retrieve": (rows) => [rows.reservation],
  "reservation.update": (rows, seen) => [seen["reservation.create"].reservation.id, { quantity: 3 }],
  "reservation.delete": (rows, seen) => [seen["reservation.create"].reservation.id],
  "inventoryItem.delete": (rows) => [rows.spare_item],
  "refundReason.create": () => [{ code: "late", label: "Arrived late", description: "By more than a week" }],
  "refundReason.list": () => [{ q: "late" }],
  "refundReason.retrieve": (rows, seen) => [seen["refundReason.create"].refund_reason.id],
  "refundReason.update": (rows, seen) => [seen["refundReason.create"].refund_reason.id, { label: "Too late" }],
  "returnReason.create": () => [{ value: "worn", label: "Worn", description: "Has been used" }],
  "returnReason.list": () => [{ q: "worn" }],
  "returnReason.retrieve": (rows, seen) => [seen["returnReason.create"].return_reason.id],
  "returnReason.update": (rows, seen) => [
    seen["returnReason.create"].return_reason.id, { value: "used", label: "Used" },
  ],
  "upload.create": () => [{ files: [PIXEL] }],
  "upload.presignedUrl": () => [{ originalname: "mug.png", mime_type: "image/png", size: 1000, access: "public" }],
  "upload.delete": (rows) => [rows.picture],
  "upload.retrieve": (rows, seen) => [seen["upload.create"].files[0].id],
  "order.list": () => [{ limit: 20 }],
  "order.retrieve": (rows) => [rows.order],
  "order.update": (rows) => [rows.order, { email: "ann@example.com", metadata: { erp: 7 } }],
  "order.listLineItems": (rows) => [rows.order],
  "order.createFulfillment": (rows, seen) => [rows.order, { items: items(seen) }],
  "order.createShipment": (rows, seen) => [rows.order, packed(seen), { items: items(seen), labels: [LABEL] }],
  "order.markAsDelivered": (rows, seen) => [rows.order, packed(seen)],
  "payment.list": () => [{ limit: 20 }],
  "payment.listPaymentProviders": () => [],
  "payment.retrieve": (rows) => [rows.payment],
  "payment.capture": (rows) => [rows.payment, {}],
  "payment.refund": (rows) => [
    rows.captured_payment, { amount: 4, refund_reason_id: rows.refund_reason, note: "Late" },
  ],
  "paymentCollection.create": (rows) => [{ order_id: rows.owing_order, amount: 18 }],
  "paymentCollection.createPaymentSession": (rows, seen) => [
    seen["paymentCollection.create"].payment_collection.id, { provider_id: "pp_system_default" },
  ],
  "order.authorizePaymentSession": (rows, seen) => [rows.owing_order, asked(seen)],
  "order.createCreditLine": (rows) => [
    rows.credited_order, { amount: 18, reference: "order_change", reference_id: "ordch_1" },
  ],
  "paymentCollection.markAsPaid": (rows) => [rows.arrived, { order_id: rows.arrived_order }],
  "paymentCollection.delete": (rows) => [rows.not_asked_for],
  "refundReason.delete": (rows, seen) => [seen["refundReason.create"].refund_reason.id],
  "fulfillment.createShipment": (rows) => [rows.fulfillment_to_ship, { labels: [LABEL] }],
  "fulfillment.cancel": (rows) => [rows.fulfillment_to_cancel],
  "fulfillment.create": (rows) => [{
    order_id: rows.order_to_pack, location_id: rows.location_to_pack, provider_id: "manual_manual",
    delivery_address: { first_name: "Ann", address_1: "1 Elm", city: "New York", country_code: "us", postal_code: "1" },
    items: [{ line_item_id: rows.line_to_pack, title: "Cup", sku: "CUP", barcode: "", quantity: 1 }],
    labels: [LABEL],
  }],
  "order.cancelFulfillment": (rows) => [rows.order_to_cancel, rows.fulfillment_of_canceled, {}],
  "order.cancel": (rows) => [rows.order_to_cancel],
  "return.initiateRequest": (rows) => [{ order_id: rows.order_to_return, internal_note: "Called" }],
  "return.addReturnItem": (rows, seen) => [returned(seen), {
    items: [rows.first, rows.second, rows.third].map((id) => ({ id, quantity: 1, internal_note: "Scratched" })),
  }],
  "return.updateReturnItem": (rows, seen) => [
    returned(seen), action(seen, rows.first), { quantity: 2, reason_id: seen["returnReason.create"].return_reason.id },
  ],
  "return.removeReturnItem": (rows, seen) => [returned(seen), action(seen, rows.third)],
  "return.addReturnShipping": (rows, seen) => [
    returned(seen), { shipping_option_id: rows.return_option, custom_amount: 2 }, { fields: "+shipping_methods.*" },
  ],
  "return.updateReturnShipping": (rows, seen) => [returned(seen), shipping(seen), { custom_amount: 3 }],
  "return.deleteReturnShipping": (rows, seen) => [returned(seen), shipping(seen)],
  "return.updateRequest": (rows, seen) => [returned(seen), { no_notification: true }],
  "draftOrder.create": (rows) => [{
    region_id: rows.region, email: "ann@example.com", items: [{ variant_id: rows.draft_variant, quantity: 2 }],
    shipping_address: { first_name: "Ann", address_1: "1 Elm", city: "Boston", country_code: "us" },
    shipping_methods: [{ shipping_option_id: rows.draft_option }, { shipping_option_id: rows.other_way }],
  }],
  "draftOrder.list": () => [{ q: "ann", limit: 20 }],
  "draftOrder.retrieve": (rows, seen) => [drafted(seen)],
  "draftOrder.update": (rows, seen) => [drafted(seen), { email: "bob@example.com", metadata: { by: "phone" } }],
  "draftOrder.delete": (rows) => [rows.spare_draft],
  "draftOrder.cancelEdit": (rows) => [rows.draft_being_changed],
  "draftOrder.beginEdit": (rows, seen) => [drafted(seen)],
  "draftOrder.addItems": (rows, seen) => [
    drafted(seen), { items: [{ title: "Engraving", quantity: 1, unit_price: 3, internal_note: "Called" }] },
  ],
  "draftOrder.updateActionItem": (rows, seen) => [
    drafted(seen), ofDraft(seen["draftOrder.addItems"]), { quantity: 2, unit_price: 2 },
  ],
  "draftOrder.updateItem": (rows, seen) => [
    drafted(seen), seen["draftOrder.retrieve"].draft_order.items[0].id, { quantity: 3, unit_price: 8 },
  ],
  "draftOrder.removeActionItem": (rows, seen) => [drafted(seen), ofDraft(seen["draftOrder.addItems"])],
  "draftOrder.addPromotions": (rows, seen) => [drafted(seen), { promo_codes: [rows.draft_code] }],
  "draftOrder.removePromotions": (rows, seen) => [drafted(seen), { promo_codes: [rows.draft_code] }],
  "draftOrder.addShippingMethod": (rows, seen) => [
    drafted(seen), { shipping_option_id: rows.other_way, custom_amount: 1, description: "By bike" },
  ],
  "draftOrder.updateActionShippingMethod": (rows, seen) => [
    drafted(seen), addedMethod(seen["draftOrder.addShippingMethod"]),
    { shipping_option_id: rows.other_way, custom_amount: 2 },
  ],
  "draftOrder.removeActionShippingMethod": (rows, seen) => [
    drafted(seen), addedMethod(seen["draftOrder.addShippingMethod"]),
  ],
  "draftOrder.updateShippingMethod": (rows, seen) => [
    drafted(seen), methodOfDraft(seen, rows.draft_option), { custom_amount: 4 },
  ],
  "draftOrder.removeShippingMethod": (rows, seen) => [drafted(seen), methodOfDraft(seen, rows.other_way)],
  "draftOrder.requestEdit": (rows, seen) => [drafted(seen)],
  "draftOrder.confirmEdit": (rows, seen) => [drafted(seen)],
  "draftOrder.convertToOrder": (rows, seen) => [drafted(seen)],
  "order.retrievePreview": (rows) => [rows.order_to_return],
  "order.listShippingOptions": (rows) => [rows.order_to_pack],
  "order.requestTransfer": (rows) => [
    rows.order_to_pack, { customer_id: rows.member, internal_note: "Called", update_order_email: true },
  ],
  "order.cancelTransfer": (rows) => [rows.order_to_pack],
  "order.transferToGuest": (rows) => [rows.order_to_pack, { email: "bob@example.com" }],
  "order.export": () => [{ status: ["pending"], order: "-created_at" }],
  "return.confirmRequest": (rows, seen) => [returned(seen), {}],
  "return.list": (rows) => [{ order_id: rows.order_to_return }],
  "return.retrieve": (rows, seen) => [returned(seen)],
  "return.initiateReceive": (rows, seen) => [returned(seen), {}],
  "return.receiveItems": (rows, seen) => [
    returned(seen), { items: [{ id: rows.first, quantity: 1 }, { id: rows.second, quantity: 1 }] },
  ],
  "return.updateReceiveItem": (rows, seen) => [returned(seen), action(seen, rows.first), { quantity: 2 }],
  "return.removeReceiveItem": (rows, seen) => [returned(seen), action(seen, rows.second)],
  "return.dismissItems": (rows, seen) => [returned(seen), { items: [{ id: rows.second, quantity: 1 }] }],
  "return.updateDismissItem": (rows, seen) => [returned(seen), action(seen, rows.second), { quantity: 1 }],
  "return.removeDismissItem": (rows, seen) => [returned(seen), action(seen, rows.second)],
  "return.confirmReceive": (rows, seen) => [returned(seen), {}],
  "return.cancelReceive": (rows) => [rows.return_to_count],
  "return.cancel": (rows) => [rows.return_to_cancel],
  "return.cancelRequest": (rows) => [rows.return_to_delete],
  "order.listChanges": (rows) => [rows.order_to_return],
  "orderEdit.initiateRequest": (rows) => [{ order_id: rows.order_to_edit, description: "By phone" }],
  "order.updateOrderChange": (rows, seen) => [
    seen["orderEdit.initiateRequest"].order_change.id, { carry_over_promotions: false, internal_note: "Called" },
  ],
  "orderEdit.addItems": (rows) => [
    rows.order_to_edit, { items: [{ variant_id: rows.variant_to_add, quantity: 1, internal_note: "A gift" }] },
  ],
  "orderEdit.updateAddedItem": (rows, seen) => [rows.order_to_edit, added(seen), { quantity: 2 }],
  "orderEdit.removeAddedItem": (rows, seen) => [rows.order_to_edit, added(seen)],
  "orderEdit.updateOriginalItem": (rows) => [rows.order_to_edit, rows.line_to_edit, { quantity: 4 }],
  "orderEdit.request": (rows) => [rows.order_to_edit, { no_notification: true }],
  "orderEdit.confirm": (rows) => [rows.order_to_edit],
  "orderEdit.cancelRequest": (rows) => [rows.order_not_to_edit],
  "returnReason.delete": (rows, seen) => [seen["returnReason.create"].return_reason.id],
  "order.complete": (rows) => [rows.order, {}],
  "order.archive": (rows) => [rows.order],
}
