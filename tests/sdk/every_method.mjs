// Calls every admin method of the official SDK, unmodified, once. Prints as JSON what became of each.
import Medusa from "@medusajs/js-sdk"
import { CATALOGUE } from "./calls/catalogue.mjs"
import { EXCHANGES } from "./calls/exchanges.mjs"
import { ORDERS } from "./calls/orders.mjs"
import { SHOP } from "./calls/shop.mjs"
import { methods } from "./sdk_types.mjs"

globalThis.FileList ??= class FileList {} // The SDK expects it, as browsers have it.
const requests = watchRequests()
const { admin } = new Medusa({ baseUrl: process.env.SHOP, apiKey: process.env.SECRET_KEY })
const rows = JSON.parse(process.env.ROWS)
const calls = { ...SHOP, ...CATALOGUE, ...ORDERS, ...EXCHANGES }
const types = methods(["catalogue", "exchanges", "orders", "shop"])
const answers = {}
const outcomes = {}
for (const name of Object.keys({ ...calls, ...types })) outcomes[name] = await call(name)
console.log(JSON.stringify(outcomes))

function watchRequests() {
  const seen = []
  const { fetch } = globalThis
  globalThis.fetch = (url, init) => {
    seen.push([init.method ?? "GET", new URL(url).pathname])
    return fetch(url, init)
  }
  return seen
}

/** What the server made of the method's first request, whose path has {} where an argument stands. */
async function call(name) {
  const [resource, method] = name.split(".")
  const { strings, keys } = types[name]
  const placeholders = strings.map((isString) => (isString ? "x" : {}))
  const sent = argumentsOf(name) ?? placeholders
  requests.length = 0
  const { answer, ...refusal } = await admin[resource][method](...sent).then(
    (answer) => ({ answer }),
    ({ status, message }) => ({ status, message }),
  )
  answers[name] = answer
  const [verb, path] = requests[0]
  const route = `${verb} ${path.split("/").map((part) => (sent.includes(part) ? "{}" : part)).join("/")}`
  return { route, ...refusal, lacks: answer ? lackingKeys(keys, answer) : [] }
}

/** Nothing where an earlier call has not returned the rows that this one needs, or the list has no arguments. */
function argumentsOf(name) {
  try {
    return calls[name]?.(rows, answers)
  } catch {
    return undefined
  }
}

function lackingKeys(keys, answer) {
  const lists = Object.keys(keys).filter((key) => Array.isArray(answer[key]))
  const isEmpty = lists.length && lists.every((key) => !answer[key].length)
  const missing = Object.entries(keys).flatMap(([key, inner]) => key in answer
    ? [answer[key] ?? []].flat().flatMap((row) => Object.keys(inner).filter((each) => !(each in row)))
    : [key])
  return [...new Set([...missing, ...(isEmpty ? ["rows"] : [])])]
}
