// What Medusa's dashboard does before somebody works with it: its pages to accept an invitation, sign in and set a new
// password, in the same calls. Prints as JSON what they gave.
import Medusa from "@medusajs/js-sdk"

const { SHOP, INVITE, EMAIL, PASSWORD, NEW_PASSWORD } = process.env
const { admin, auth } = new Medusa({ baseUrl: SHOP, auth: { type: "jwt", jwtTokenStorageMethod: "memory" } })
const claims = (token) => JSON.parse(Buffer.from(token.split(".")[1], "base64url"))
const failed = (call) => call.then(() => "none", ({ status, message }) => `${status}: ${message}`)

const registered = await auth.register("user", "emailpass", { email: EMAIL, password: PASSWORD })
const accepted = await admin.invite.accept(
  { invite_token: INVITE, email: EMAIL, first_name: "Eve", last_name: "Lee" }, {},
  { Authorization: `Bearer ${registered}` },
)
await auth.login("user", "emailpass", { email: EMAIL, password: PASSWORD })
const { user } = await admin.user.me()
const renamed = await admin.user.update(user.id, { first_name: "Eva" })
await auth.refresh()
await auth.resetPassword("user", "emailpass", { identifier: EMAIL })
const wrongToken = await failed(auth.updateProvider("user", "emailpass", { password: NEW_PASSWORD }, registered))
await auth.logout()
console.log(JSON.stringify({
  invite: Object.keys(claims(INVITE)),
  accepted: accepted.user.email,
  me: user.first_name,
  permissions: user.permissions,
  renamed: renamed.user.first_name,
  wrongToken,
  afterwards: await failed(admin.user.me()),
}))
