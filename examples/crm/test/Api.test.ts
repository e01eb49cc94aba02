import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { after, before, describe, it } from "node:test"
import { makeGuard } from "slotkey/resource"
import { start, type StartedTestServer, type TestTokens } from "slotkey/testing"
import { guardedApi, workspaceOf } from "../src/api.ts"

let slotkey: StartedTestServer
let address: string
let stop: () => Promise<unknown>

before(async () => {
  const file = new URL("../slotkey.catalogue.json", import.meta.url)
  const catalogue: object = JSON.parse(readFileSync(file, "utf8"))
  slotkey = await start({ catalogue })
  const credential = await slotkey.credential()
  // The guard asks the server of the test, which has no port: hence its `fetch`.
  const guard = await makeGuard({ baseUrl: slotkey.url, credential, catalogue }, slotkey.fetch)
  const server = createServer(guardedApi(guard)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const bound = server.address()
  address = typeof bound === "object" ? `http://127.0.0.1:${bound?.port}` : ""
  stop = async () => {
    server.close()
    server.closeAllConnections()
    await Promise.all([guard.close(), slotkey.stop()])
  }
})
after(() => stop())

const call = (path: string, tokens?: TestTokens, method = "GET") =>
  fetch(`${address}${path}`, {
    method,
    headers: tokens === undefined ? {} : { authorization: `Bearer ${tokens.accessToken}` }
  })

/** Status of the answer, and the scopes that its challenge names: those of the token, and those that it lacks. */
const refusal = async (path: string, tokens?: TestTokens, method?: string) => {
  const { headers, status } = await call(path, tokens, method)
  return [status, / scope="([^"]*)"/.exec(headers.get("www-authenticate") ?? "")?.[1]]
}

describe("the API of the CRM", () => {
  it("serves the contacts of a user to the app that the user has let in", async () => {
    const tokens = await slotkey.tokens({ scopes: ["contacts.read"] })
    const contacts = await (await call("/api/contacts", tokens)).json()
    deepEqual(contacts, [{ id: "7", name: `Grace, whom ${tokens.user.id} met` }])
    equal((await call("/api/contacts/7", tokens)).status, 200)
    deepEqual(await refusal("/api/contacts/7", tokens, "DELETE"), [403, "contacts.read contacts.write"])
  })

  it("lets an app see what it may change", async () => {
    const tokens = await slotkey.tokens({ scopes: ["contacts.write"] })
    equal((await call("/api/contacts/7", tokens, "DELETE")).status, 200)
    equal((await call("/api/contacts", tokens)).status, 200)
  })

  it("asks for the least that would do, and for all that is needed", async () => {
    const tokens = await slotkey.tokens({ scopes: ["files.read"] })
    // Contacts or deals would do, and contacts are sensitive; a scope that writes includes the one that reads.
    deepEqual(await refusal("/api/search", tokens), [403, "deals.read files.read"])
    deepEqual(await refusal("/api/contacts", tokens), [403, "contacts.read files.read"])
    deepEqual(await refusal("/api/contacts/7/timeline", tokens), [403, "contacts.read notes.read files.read"])
    deepEqual(await refusal("/api/contacts"), [401, "contacts.read"])
    equal((await call("/api/search", await slotkey.tokens({ scopes: ["deals.read"] }))).status, 200)
  })

  it("serves a workspace to its members alone, whatever the scope", async () => {
    const tokens = await slotkey.tokens({ scopes: ["members.read"] })
    equal((await call(`/api/workspaces/${workspaceOf(tokens.user.id)}/members`, tokens)).status, 200)
    equal((await call("/api/workspaces/workspace-of-another/members", tokens)).status, 404)
    const path = `/api/workspaces/${workspaceOf(tokens.user.id)}/members/1`
    deepEqual(await refusal(path, tokens, "DELETE"), [403, "members.read members.write"])
  })

  it("is open where its catalogue says so, and closed in all else", async () => {
    equal((await call("/api/health")).status, 200)
    const everything = await slotkey.tokens({ app: await slotkey.app({ legacy: true }) })
    equal((await call("/api/contacts", everything)).status, 200)
    const exports = `/api/workspaces/${workspaceOf(everything.user.id)}/exports`
    deepEqual(await refusal(exports, everything, "POST"), [403, undefined])
    deepEqual(await refusal("/api/invoices", everything), [403, undefined])
  })

  it("refuses a token at once when the user has disconnected the app", async () => {
    const tokens = await slotkey.tokens({ scopes: ["contacts.read"] })
    await slotkey.revoke(tokens)
    equal((await call("/api/contacts", tokens)).status, 401)
  })
})

describe("Slotkey", () => {
  it("asks users in the words of the CRM", async () => {
    const app = await slotkey.app({ name: "Orbit Sync", scopes: ["account.read", "contacts.write", "members.write"] })
    const session = await slotkey.session(await slotkey.user())
    const asking = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: app.redirectUri,
      scope: "account.read contacts.write members.write"
    })
    const headers = { cookie: session.cookie }
    const page = await (await slotkey.fetch(`/auth/oauth2/authorize?${asking}`, { headers })).text()
    for (const words of [/Change your contacts/, /[Yy]our whole workspace/, /Manage the members of your workspace/]) {
      match(page, words)
    }
    doesNotMatch(page, /booking|calendar|schedul/i)
  })

  it("has mails in the words of the CRM", async () => {
    const { user } = await slotkey.tokens({ scopes: ["contacts.read"] })
    const [mail] = (await slotkey.mails()).filter(({ to }) => to.address === user.email)
    match(mail?.text ?? "", /See your contacts \(contacts\.read\)/)
  })

  it("knows no other scopes, and neither does the compiler", async () => {
    // @ts-expect-error Its name is contacts.read.
    const mistyped = slotkey.tokens({ scopes: ["contacts.raed"] })
    equal(await mistyped.then(() => "issued", () => "refused"), "refused")
  })
})
