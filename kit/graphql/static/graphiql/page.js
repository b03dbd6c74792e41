/* Sends documents to /graphql and shows the schema. What is typed stays in this tab. */
"use strict";

const form = document.getElementById("request");
const byId = (id) => document.getElementById(id);
const START = `{
  productCategories(limit: 3) {
    count
    productCategories { id name categoryChildren { name } }
  }
}`;
const SCHEMA = `{ __schema { types { kind name description
  fields { name description type { ...T } args { name description type { ...T } } }
  inputFields { name description type { ...T } } } } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;
let types = [];

/* The name of the operation at the cursor: of a document that has several, the server runs the one it is told. */
function operation() {
  const named = [...form.query.value.matchAll(/^\s*(?:query|mutation)\s+(\w+)/gm)];
  const before = named.filter((found) => found.index <= form.query.selectionStart);
  return (before.pop() || named[0])?.[1];
}

async function send(query, variables, operationName) {
  const headers = { "content-type": "application/json", "x-graphql-request": "true" };
  if (form.key.value) headers["x-publishable-api-key"] = form.key.value.trim();
  if (form.token.value) headers.authorization = `Bearer ${form.token.value.trim()}`;
  const body = JSON.stringify({ query, variables, operationName });
  const response = await fetch("/graphql", { method: "POST", headers, body });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}

async function run() {
  const started = performance.now();
  let sent;
  try {
    sent = form.variables.value.trim() ? JSON.parse(form.variables.value) : {};
  } catch (problem) {
    return show("The variables are no JSON", true, String(problem));
  }
  const { status, body } = await send(form.query.value, sent, operation());
  const milliseconds = Math.round(performance.now() - started);
  show(`${status}, ${milliseconds} ms`, status !== 200 || Boolean(body.errors), body);
}

function show(status, failed, body) {
  byId("status").textContent = status;
  byId("status").className = failed ? "failed" : "";
  byId("answer").textContent = typeof body === "string" ? body : JSON.stringify(body, null, 2);
}

async function readSchema() {
  const { body } = await send(SCHEMA, {});
  if (!body.data) return;
  types = body.data.__schema.types.filter((type) => !type.name.startsWith("__"));
  list();
}

function list() {
  const wanted = byId("search").value.trim().toLowerCase();
  const shown = types.filter((type) => !wanted || text(type).includes(wanted));
  byId("schema").replaceChildren(...shown.map((type) => described(type, Boolean(wanted))));
}

function text(type) {
  const members = [...(type.fields || []), ...(type.inputFields || [])];
  return [type.name, ...members.map((member) => member.name)].join(" ").toLowerCase();
}

function described(type, open) {
  const whole = element("details", element("summary", type.name), element("div", type.description || ""));
  whole.id = `type-${type.name}`;
  whole.open = open || type.name === "Query";
  const members = (type.fields || type.inputFields || []).flatMap((member) => {
    const takes = (member.args || []).flatMap((each) => [`${each.name}: `, link(each.type), ", "]).slice(0, -1);
    const head = element("code", member.name, ...(takes.length ? ["(", ...takes, ")"] : []), ": ", link(member.type));
    return [element("dt", head), element("dd", member.description || "")];
  });
  whole.append(element("dl", ...members));
  return whole;
}

/* `[ProductCategory!]!`, leading to the type itself. */
function link(type) {
  if (type.kind === "NON_NULL") return element("span", link(type.ofType), "!");
  if (type.kind === "LIST") return element("span", "[", link(type.ofType), "]");
  const to = element("a", type.name);
  to.href = `#type-${type.name}`;
  to.addEventListener("click", () => {
    byId("search").value = "";
    list();
    byId(`type-${type.name}`).open = true;
  });
  return to;
}

function element(name, ...inside) {
  const made = document.createElement(name);
  made.append(...inside);
  return made;
}

for (const field of [form.key, form.token, form.query, form.variables]) {
  field.value = sessionStorage.getItem(field.name) ?? (field === form.query ? START : "");
  field.addEventListener("input", () => sessionStorage.setItem(field.name, field.value));
}
for (const credential of [form.key, form.token]) credential.addEventListener("change", readSchema);
byId("search").addEventListener("input", list);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});
if (form.key.value || form.token.value) readSchema();
