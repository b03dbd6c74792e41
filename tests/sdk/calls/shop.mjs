// Customers, and where and how the shop sells: channels, regions, taxes, stock and shipping.

const set = (/** @type {import("./calls").Answers} */ seen) =>
  seen["stockLocation.retrieve"].stock_location.fulfillment_sets[0].id
const zone = (/** @type {import("./calls").Answers} */ seen) =>
  seen["fulfillmentSet.createServiceZone"].fulfillment_set.service_zones[0].id

/** @type {import("./calls").Calls} */
export const SHOP = {
  "customer.create": () => [{ email: "joe@example.com", first_name: "Joe", last_name: "Poe", phone: "555-1234" }],
  "customer.list": () => [{ q: "joe@example.com" }],
  "customer.retrieve": (rows) => [rows.customer],
  "customer.update": (rows) => [rows.customer, { company_name: "Lee & Co", metadata: { erp: 7 } }],
  "customer.createAddress": (rows) => [rows.customer, {
    address_name: "Home", first_name: "Ann", last_name: "Lee", company: "", phone: "555-1234", address_1: "1 Elm",
    address_2: "", city: "New York", country_code: "us", province: "us-ny", postal_code: "10001",
    is_default_shipping: true, is_default_billing: false,
  }],
  "customer.listAddresses": (rows) => [rows.customer],
  "customer.retrieveAddress": (rows) => [rows.customer, rows.address],
  "customer.updateAddress": (rows) => [rows.customer, rows.address, { city: "Albany" }],
  "customer.deleteAddress": (rows) => [rows.customer, rows.address],
  "customerGroup.create": () => [{ name: "Wholesale", metadata: { erp: "W" } }],
  "customerGroup.list": () => [{ q: "wholesale" }],
  "customerGroup.retrieve": (rows, seen) => [seen["customerGroup.create"].customer_group.id],
  "customerGroup.update": (rows, seen) => [seen["customerGroup.create"].customer_group.id, { name: "Trade" }],
  "customerGroup.batchCustomers": (rows, seen) => [
    seen["customerGroup.create"].customer_group.id, { add: [rows.customer], remove: [] },
  ],
  "customer.batchCustomerGroups": (rows, seen) => [
    rows.customer, { add: [], remove: [seen["customerGroup.create"].customer_group.id] },
  ],
  "customerGroup.delete": (rows, seen) => [seen["customerGroup.create"].customer_group.id],
  "customer.delete": (rows, seen) => [seen["customer.create"].customer.id],
  "user.me": () => [],
  "user.list": () => [{ q: "colleague" }],
  "user.retrieve": (rows) => [rows.colleague],
  "user.update": (rows) => [rows.colleague, {
    first_name: "Ann", last_name: "Lee", avatar_url: "https://example.com/ann.png", metadata: { desk: 4 },
  }],
  "user.listAuthProviders": (rows) => [rows.colleague],
  "user.generateResetPasswordToken": (rows) => [rows.colleague],
  "user.delete": (rows) => [rows.colleague],
  "invite.create": () => [{ email: "eve@example.com", roles: ["Warehouse"], metadata: { erp: 7 } }],
  "invite.list": () => [{ order: "email" }],
  "invite.retrieve": (rows, seen) => [seen["invite.create"].invite.id],
  "invite.resend": (rows, seen) => [seen["invite.create"].invite.id],
  "invite.accept": (rows, seen) => [
    { email: "eve@example.com", first_name: "Eve", last_name: "Poe", invite_token: seen["invite.resend"].invite.token },
    {}, { Authorization: `Bearer ${rows.registration}` },
  ],
  "invite.delete": (rows) => [rows.invite],
  "campaign.create": () => [{
    name: "Spring", description: "All of March", campaign_identifier: "spring",
    budget: { type: "spend", currency_code: "eur", limit: 1000 },
  }],
  "campaign.list": () => [{ q: "spring", budget: { currency_code: "eur" } }],
  "campaign.retrieve": (rows, seen) => [seen["campaign.create"].campaign.id],
  "campaign.update": (rows, seen) => [seen["campaign.create"].campaign.id, { budget: { limit: 2000 } }],
  "promotion.create": (rows) => [{
    code: "DEAL", type: "buyget", status: "draft", is_automatic: false, is_tax_inclusive: true, limit: 100,
    campaign: { name: "Deals", campaign_identifier: "deals" }, metadata: { erp: 7 },
    rules: [{ attribute: "customer.groups.id", operator: "in", values: [rows.group], description: "Friends" }],
    application_method: {
      type: "fixed", value: 5, currency_code: "eur", target_type: "items", allocation: "each", max_quantity: 4,
      buy_rules_min_quantity: 2, apply_to_quantity: 1, description: "Five off",
      target_rules: [{ attribute: "items.product.id", operator: "eq", values: rows.product }],
      buy_rules: [{ attribute: "items.product.tags.id", operator: "in", values: [rows.tag] }],
    },
  }],
  "promotion.list": () => [{ q: "deal", application_method: { currency_code: "eur" } }],
  "promotion.retrieve": () => ["DEAL"],
  "promotion.update": (rows, seen) => [seen["promotion.create"].promotion.id, {
    status: "active", application_method: { value: 6, max_quantity: 2 },
  }],
  "promotion.addRules": (rows, seen) => [seen["promotion.create"].promotion.id, "rules", {
    rules: [{ attribute: "region.id", operator: "in", values: [rows.region] }],
  }],
  "promotion.listRules": (rows, seen) => [seen["promotion.create"].promotion.id, "rules"],
  "promotion.updateRules": (rows, seen) => [seen["promotion.create"].promotion.id, "rules", {
    rules: [{ id: seen["promotion.create"].promotion.rules[0].id, values: [rows.group], operator: "ne" }],
  }],
  "promotion.removeRules": (rows, seen) => [seen["promotion.create"].promotion.id, "rules", {
    rule_ids: [seen["promotion.create"].promotion.rules[0].id],
  }],
  "promotion.listRuleAttributes": () => ["target-rules", "buyget", "items"],
  "promotion.listRuleValues": () => ["rules", "customer_group", { q: "friends" }],
  "campaign.batchPromotions": (rows, seen) => [
    seen["campaign.create"].campaign.id, { add: [seen["promotion.create"].promotion.id], remove: [] },
  ],
  "promotion.delete": (rows, seen) => [seen["promotion.create"].promotion.id],
  "campaign.delete": (rows, seen) => [seen["campaign.create"].campaign.id],
  "apiKey.create": () => [{ title: "Shop window", type: "publishable" }],
  "apiKey.list": () => [{ type: "publishable" }],
  "apiKey.retrieve": (rows, seen) => [seen["apiKey.create"].api_key.id],
  "apiKey.update": (rows, seen) => [seen["apiKey.create"].api_key.id, { title: "Storefront" }],
  "apiKey.batchSalesChannels": (rows, seen) => [seen["apiKey.create"].api_key.id, { add: [rows.channel], remove: [] }],
  "apiKey.revoke": (rows, seen) => [seen["apiKey.create"].api_key.id],
  "apiKey.delete": (rows, seen) => [seen["apiKey.create"].api_key.id],
  "currency.list": () => [{ q: "eur" }],
  "currency.retrieve": () => ["usd"],
  "locale.list": () => [],
  "locale.retrieve": (rows, seen) => [seen["locale.list"].locales[0].code],
  "salesChannel.create": () => [{ name: "Market", description: "On Saturdays", is_disabled: false }],
  "salesChannel.list": () => [{ name: "Market" }],
  "salesChannel.retrieve": (rows, seen) => [seen["salesChannel.create"].sales_channel.id],
  "salesChannel.update": (rows, seen) => [seen["salesChannel.create"].sales_channel.id, { is_disabled: true }],
  "salesChannel.batchProducts": (rows, seen) => [
    seen["salesChannel.create"].sales_channel.id, { add: [rows.product], remove: [] },
  ],
  "salesChannel.updateProducts": (rows, seen) => [
    seen["salesChannel.create"].sales_channel.id, { add: [], remove: [rows.product] },
  ],
  "salesChannel.delete": (rows, seen) => [seen["salesChannel.create"].sales_channel.id],
  "region.create": () => [{
    name: "Europe", currency_code: "eur", countries: ["fr"], automatic_taxes: true, is_tax_inclusive: true,
    payment_providers: ["pp_system_default"], metadata: { erp: "EU" },
  }],
  "region.list": () => [{ q: "europe" }],
  "region.retrieve": (rows, seen) => [seen["region.create"].region.id],
  "region.update": (rows, seen) => [seen["region.create"].region.id, { name: "France", countries: ["fr", "be"] }],
  "region.delete": (rows, seen) => [seen["region.create"].region.id],
  "notification.list": () => [{ channel: "email" }],
  "notification.retrieve": (rows) => [rows.mail],
  "plugin.list": () => [],
  "store.list": () => [],
  "store.retrieve": (rows) => [rows.store],
  "store.update": (rows) => [
    rows.store, { name: "Tea", default_sales_channel_id: rows.channel, default_region_id: rows.region },
  ],
  "taxProvider.list": () => [],
  "taxRegion.create": () => [
    { country_code: "fr", default_tax_rate: { name: "TVA", code: "TVA20", rate: 20 }, metadata: { erp: "FR" } },
  ],
  "taxRegion.list": () => [{ country_code: "fr" }],
  "taxRegion.retrieve": (rows, seen) => [seen["taxRegion.create"].tax_region.id],
  "taxRegion.update": (rows, seen) => [seen["taxRegion.create"].tax_region.id, { metadata: { erp: "F" } }],
  "taxRate.create": (rows, seen) => [{
    tax_region_id: seen["taxRegion.create"].tax_region.id, name: "Reduced", code: "TVA5", rate: 5.5,
    is_default: false, is_combinable: false, rules: [{ reference: "product", reference_id: rows.product }],
  }],
  "taxRate.list": (rows, seen) => [{ tax_region_id: seen["taxRegion.create"].tax_region.id }],
  "taxRate.retrieve": (rows, seen) => [seen["taxRate.create"].tax_rate.id],
  "taxRate.update": (rows, seen) => [
    seen["taxRate.create"].tax_rate.id,
    { name: "Low", rate: 5, rules: [{ reference: "product_type", reference_id: rows.type }] },
  ],
  "taxRate.delete": (rows, seen) => [seen["taxRate.create"].tax_rate.id],
  "taxRegion.delete": (rows, seen) => [seen["taxRegion.create"].tax_region.id],
  "fulfillmentProvider.list": () => [],
  "fulfillmentProvider.listFulfillmentOptions": () => ["manual_manual"],
  "shippingProfile.create": () => [{ name: "Bulky", type: "bulky" }],
  "shippingProfile.list": () => [{ q: "bulky" }],
  "shippingProfile.retrieve": (rows, seen) => [seen["shippingProfile.create"].shipping_profile.id],
  "shippingProfile.update": (rows, seen) => [seen["shippingProfile.create"].shipping_profile.id, { name: "Heavy" }],
  "shippingProfile.delete": (rows, seen) => [seen["shippingProfile.create"].shipping_profile.id],
  "shippingOptionType.create": () => [{ label: "Express", description: "Tomorrow", code: "express" }],
  "shippingOptionType.list": () => [{ q: "express" }],
  "shippingOptionType.retrieve": (rows, seen) => [seen["shippingOptionType.create"].shipping_option_type.id],
  "shippingOptionType.update": (rows, seen) => [
    seen["shippingOptionType.create"].shipping_option_type.id, { label: "Fast" },
  ],
  "shippingOptionType.delete": (rows, seen) => [seen["shippingOptionType.create"].shipping_option_type.id],
  "stockLocation.create": () => [
    { name: "Depot", address: { address_1: "1 Dock", city: "Lyon", country_code: "fr" }, metadata: { erp: "D" } },
  ],
  "stockLocation.list": () => [{ q: "depot" }],
  "stockLocation.update": (rows, seen) => [
    seen["stockLocation.create"].stock_location.id,
    { name: "North", address: { address_1: "2 Dock", country_code: "fr" } },
  ],
  "stockLocation.updateSalesChannels": (rows, seen) => [
    seen["stockLocation.create"].stock_location.id, { add: [rows.channel], remove: [] },
  ],
  "stockLocation.updateFulfillmentProviders": (rows, seen) => [
    seen["stockLocation.create"].stock_location.id, { add: ["manual_manual"], remove: [] },
  ],
  "stockLocation.createFulfillmentSet": (rows, seen) => [
    seen["stockLocation.create"].stock_location.id, { name: "From the depot", type: "shipping" },
  ],
  "stockLocation.retrieve": (rows, seen) => [
    seen["stockLocation.create"].stock_location.id, { fields: "*fulfillment_sets" },
  ],
  "fulfillmentSet.createServiceZone": (rows, seen) => [
    set(seen), { name: "France", geo_zones: [{ type: "country", country_code: "fr" }] },
  ],
  "fulfillmentSet.retrieveServiceZone": (rows, seen) => [set(seen), zone(seen)],
  "fulfillmentSet.updateServiceZone": (rows, seen) => [
    set(seen), zone(seen), { name: "Near", geo_zones: [{ type: "country", country_code: "be" }] },
  ],
  "shippingOption.create": (rows, seen) => [{
    name: "Parcel", service_zone_id: zone(seen), shipping_profile_id: rows.profile, provider_id: "manual_manual",
    price_type: "flat", type: { label: "Standard", description: "In three days", code: "standard" },
    prices: [{ currency_code: "eur", amount: 5 }, { region_id: rows.region, amount: 6 }],
    rules: [{ attribute: "is_return", operator: "eq", value: "false" }],
  }],
  "shippingOption.list": () => [{ q: "parcel" }],
  "shippingOption.retrieve": (rows, seen) => [seen["shippingOption.create"].shipping_option.id],
  "shippingOption.update": (rows, seen) => [
    seen["shippingOption.create"].shipping_option.id,
    { name: "Small parcel", prices: [{ currency_code: "eur", amount: 4 }] },
  ],
  "shippingOption.updateRules": (rows, seen) => [
    seen["shippingOption.create"].shipping_option.id,
    { create: [{ attribute: "enabled_in_store", operator: "eq", value: "true" }], update: [], delete: [] },
  ],
  "shippingOption.delete": (rows, seen) => [seen["shippingOption.create"].shipping_option.id],
  "fulfillmentSet.deleteServiceZone": (rows, seen) => [set(seen), zone(seen)],
  "fulfillmentSet.delete": (rows, seen) => [set(seen)],
  "stockLocation.delete": (rows, seen) => [seen["stockLocation.create"].stock_location.id],
}
