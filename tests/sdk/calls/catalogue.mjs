// Products and what sorts, describes and prices them.

const GREEN = { title: "Green", sku: "CUP-G", prices: [{ currency_code: "usd", amount: 9.5 }] }
const SAUCERS = "Product Handle,Product Title\nsaucer,Saucer\n"
const product = (/** @type {import("./calls").Answers} */ seen) => seen["product.create"].product
const list = (/** @type {import("./calls").Answers} */ seen) => seen["priceList.create"].price_list.id

/** @type {import("./calls").Calls} */
export const CATALOGUE = {
  "productType.create": () => [{ value: "Pots" }],
  "productType.list": () => [{ q: "pots" }],
  "productType.retrieve": (rows, seen) => [seen["productType.create"].product_type.id],
  "productType.update": (rows, seen) => [seen["productType.create"].product_type.id, { value: "Teapots" }],
  "productType.delete": (rows, seen) => [seen["productType.create"].product_type.id],
  "productTag.create": () => [{ value: "new" }],
  "productTag.list": () => [{ value: "new" }],
  "productTag.retrieve": (rows, seen) => [seen["productTag.create"].product_tag.id],
  "productTag.update": (rows, seen) => [seen["productTag.create"].product_tag.id, { value: "New" }],
  "productTag.delete": (rows, seen) => [seen["productTag.create"].product_tag.id],
  "productCollection.create": () => [{ title: "Spring", handle: "spring" }],
  "productCollection.list": () => [{ q: "spring" }],
  "productCollection.retrieve": (rows, seen) => [seen["productCollection.create"].collection.id],
  "productCollection.update": (rows, seen) => [seen["productCollection.create"].collection.id, { title: "May" }],
  "productCollection.updateProducts": (rows, seen) => [
    seen["productCollection.create"].collection.id, { add: [rows.product], remove: [] },
  ],
  "productCollection.delete": (rows, seen) => [seen["productCollection.create"].collection.id],
  "productCategory.create": (rows) => [
    { name: "Gifts", description: "To give away", is_active: true, is_internal: false, parent_category_id: rows.category },
  ],
  "productCategory.list": () => [{ include_descendants_tree: true }],
  "productCategory.retrieve": (rows, seen) => [seen["productCategory.create"].product_category.id],
  "productCategory.update": (rows, seen) => [
    seen["productCategory.create"].product_category.id, { name: "Presents", rank: 0, parent_category_id: null },
  ],
  "productCategory.updateProducts": (rows, seen) => [
    seen["productCategory.create"].product_category.id, { add: [rows.product], remove: [] },
  ],
  "productCategory.delete": (rows, seen) => [seen["productCategory.create"].product_category.id],
  "product.create": (rows) => [{
    title: "Cup", subtitle: "Holds tea", description: "Made by hand", handle: "cup", status: "published",
    is_giftcard: false, discountable: true, thumbnail: "https://images.example/cup.png", external_id: "PIM-1",
    type_id: rows.type, collection_id: rows.collection, shipping_profile_id: rows.profile,
    categories: [{ id: rows.category }], tags: [{ id: rows.tag }], sales_channels: [{ id: rows.channel }],
    images: [{ url: "https://images.example/cup.png" }],
    options: [{ title: "Color", values: ["Green", "White", "Black"] }],
    variants: [{ ...GREEN, options: { Color: "Green" }, manage_inventory: true, allow_backorder: false }],
    weight: 300, origin_country: "jp", material: "Clay", metadata: { fragile: true },
  }],
  "product.list": (rows) => [{ q: "cup", status: ["published"], sales_channel_id: [rows.channel], limit: 20 }],
  "product.retrieve": (rows, seen) => [product(seen).id],
  "product.update": (rows, seen) => [product(seen).id, { title: "Tea cup", tags: [], metadata: { fragile: false } }],
  "product.createVariant": (rows, seen) => [
    product(seen).id, { title: "White", prices: [{ currency_code: "usd", amount: 9 }], options: { Color: "White" } },
  ],
  "product.listVariants": (rows, seen) => [product(seen).id, { sku: "CUP-G" }],
  "product.retrieveVariant": (rows, seen) => [product(seen).id, product(seen).variants[0].id],
  "product.updateVariant": (rows, seen) => [
    product(seen).id, product(seen).variants[0].id,
    { title: "Moss", prices: [{ currency_code: "usd", amount: 10 }], options: { Color: "Green" } },
  ],
  "product.batchVariants": (rows, seen) => [product(seen).id, {
    create: [{ title: "Black", prices: [{ currency_code: "usd", amount: 8 }], options: { Color: "Black" } }],
    update: [{ id: product(seen).variants[0].id, weight: 310 }],
    delete: [],
  }],
  "product.batchVariantInventoryItems": (rows, seen) => [product(seen).id, {
    create: [{ variant_id: product(seen).variants[0].id, inventory_item_id: rows.item, required_quantity: 2 }],
    update: [],
    delete: [],
  }],
  "product.batchImageVariants": (rows, seen) => [
    product(seen).id, product(seen).images[0].id, { add: [product(seen).variants[0].id], remove: [] },
  ],
  "product.batchVariantImages": (rows, seen) => [
    product(seen).id, product(seen).variants[0].id, { add: [], remove: [product(seen).images[0].id] },
  ],
  "product.listOptions": (rows, seen) => [product(seen).id],
  "product.linkOptions": (rows, seen) => [product(seen).id, { add: [{ title: "Size", values: ["S"] }], remove: [] }],
  "product.import": () => [{ file: new File([SAUCERS], "products.csv") }],
  "product.createImport": () => [{ file: new File([SAUCERS], "products.csv", { type: "text/csv" }) }],
  "product.confirmImport": (rows, seen) => [seen["product.import"].transaction_id],
  "product.export": () => [{}, { status: ["published"] }],
  "productVariant.list": () => [{ sku: ["CUP-G"] }],
  "product.deleteVariant": (rows, seen) => [product(seen).id, product(seen).variants[0].id],
  "product.batch": (rows, seen) => [{
    create: [{ title: "Saucer", options: [{ title: "Color", values: ["White"] }] }],
    update: [{ id: product(seen).id, status: "draft" }],
    delete: [rows.spare_product],
  }],
  "product.delete": (rows, seen) => [product(seen).id],
  "productOption.create": () => [{ title: "Size", values: ["S", "M"] }],
  "productOption.list": () => [{ q: "volume" }],
  "productOption.retrieve": (rows) => [rows.option],
  "productOption.update": (rows) => [rows.option, { title: "Size", values: ["S", "M", "L"] }],
  "productOption.listValues": (rows) => [rows.option],
  "productOption.retrieveValue": (rows) => [rows.option, rows.value],
  "productOption.updateValue": (rows) => [rows.option, rows.value, { value: "Small" }],
  "productOption.deleteValue": (rows) => [rows.option, rows.spare_value],
  "productOption.delete": (rows) => [rows.spare_option],
  "priceList.create": (rows) => [{
    title: "Summer sale", description: "Until August", status: "active", type: "sale",
    starts_at: "2026-06-01T00:00:00Z", ends_at: null, rules: { "customer.groups.id": [rows.group] },
    prices: [{ variant_id: rows.variant, currency_code: "usd", amount: 7.5, rules: { region_id: rows.region } }],
  }],
  "priceList.list": () => [{ q: "summer", status: ["active"] }],
  "priceList.retrieve": (rows, seen) => [list(seen)],
  "priceList.update": (rows, seen) => [list(seen), { title: "Sale", rules: {} }],
  "priceList.prices": (rows, seen) => [list(seen)],
  "priceList.batchPrices": (rows, seen) => [list(seen), {
    create: [{ variant_id: rows.variant, currency_code: "eur", amount: 7 }],
    update: [{ id: seen["priceList.prices"].prices[0].id, variant_id: rows.variant, amount: 7.25 }],
    delete: [],
  }],
  "priceList.linkProducts": (rows, seen) => [list(seen), { remove: [rows.product] }],
  "priceList.delete": (rows, seen) => [list(seen)],
  "pricePreference.create": () => [{ attribute: "currency_code", value: "eur", is_tax_inclusive: true }],
  "pricePreference.list": () => [{ attribute: "currency_code" }],
  "pricePreference.retrieve": (rows, seen) => [seen["pricePreference.create"].price_preference.id],
  "pricePreference.update": (rows, seen) => [
    seen["pricePreference.create"].price_preference.id, { is_tax_inclusive: false },
  ],
  "pricePreference.delete": (rows, seen) => [seen["pricePreference.create"].price_preference.id],
}
