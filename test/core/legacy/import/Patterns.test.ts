import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { ImportOptions } from "../../../../src/core/legacy/import/ImportedClient.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { visitor } from "../Scenario.ts"
import { app, apply, jsonLines, listenTo, unique } from "./Scenario.ts"

/** What other servers read as more than one address, with the cause that registration gives. */
const patterns = {
  "https://crm.example/*": "must not have a wildcard (*)",
  "http://localhost:3000/*": "must not have a wildcard (*)",
  "http://127.0.0.1:*/cb": "must not have a wildcard (*): leave the port out",
  "https://*.crm.example/cb": "must not have a wildcard (*)",
  "https://crm.example/{tenant}/cb": "must not have a placeholder ({tenant})",
  "https://{tenant}.crm.example/cb": "must not have a placeholder ({tenant})",
  "https://crm.example/<tenant>/cb": "must not have a placeholder (<tenant>)",
  "com.example.crm:/*": "must not have a wildcard (*)",
  "https://crm.example/cb,https://crm.example/other": "must be one address",
  "https://crm.example/cb;https://crm.example/other": "must be one address",
  "https://crm.example/cb|http://localhost/cb": "must be one address"
}
const uris = Object.keys(patterns)

/** Same, of a form in which this server cannot keep any address. */
const unkept = {
  "*": "must not have a wildcard (*)",
  "/*": "must not have a wildcard (*)",
  "javascript:*": "must not have a wildcard (*)",
  "https://crm.example/cb https://crm.example/other": "must be one address",
  "https://crm.example/cb\nhttps://crm.example/other": "must be one address",
  "[\"https://crm.example/cb\",\"https://crm.example/other\"]": "must be one address",
  "{https://crm.example/cb,https://crm.example/other}": "must be one address"
}

const inspect = (text: string, options: ImportOptions = {}) =>
  Effect.flatMap(LegacyImport, (imports) => listenTo(imports.inspect(Stream.make(text), options)))

/** Public, since one of the addresses has a scheme for such apps alone; an app has ten addresses at most. */
const appsWith = (owner: string, all: ReadonlyArray<string>) =>
  all.map((uri) => app(owner, { redirect_uris: [uri], website: "https://crm.example", secrets: [], kind: "public" }))

layer(server(), { timeout: 60_000 })("Redirect URIs that no request will match", (it) => {
  it.effect("are named with their app, their value and their cause, counted, and not imported", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const all = { ...patterns, ...unkept }
      const apps = appsWith(owner, Object.keys(all))
      for (const options of [{}, { keepsRedirectUris: true }]) {
        const report = yield* inspect(jsonLines(...apps), options)
        assert.deepStrictEqual([report.patterns, report.wrong], [apps.length, apps.length])
        Object.entries(all).forEach(([uri, cause], at) => {
          const { clientId, kind, text = "" } = report.findings[at] ?? {}
          assert.deepStrictEqual([clientId, kind], [apps[at]?.client_id, "wrong"], uri)
          assert.isTrue(text.startsWith(`redirect_uris.0 ${JSON.stringify(uri)} ${cause}`), text)
        })
      }
      const mixed = app(owner, { redirect_uris: ["https://crm.example/cb", "https://crm.example/*"] })
      assert.strictEqual((yield* inspect(jsonLines(mixed))).patterns, 1)
      assert.strictEqual((yield* inspect(jsonLines(app(owner)))).patterns, 0)
    }))

  it.effect("are counted by the address, in a list of CSV as well", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const id = `passport-${unique()}`
      const text = [
        "client_id,owner,name,redirect_uris,kind",
        `${id},${owner},CRM,"https://crm.example/a,https://crm.example/b https://crm.example/* https://crm.example/c",public`
      ].join("\n")
      const { findings: [finding], patterns } = yield* inspect(text)
      assert.deepStrictEqual([patterns, finding?.clientId], [2, id])
      assert.strictEqual(
        finding?.text,
        "redirect_uris.0 \"https://crm.example/a,https://crm.example/b\" must be one address: each of several is an entry of its own; " +
          "redirect_uris.1 \"https://crm.example/*\" must not have a wildcard (*): each address is an entry of its own"
      )
    }))

  it.effect("are kept where the operator says so, match nothing, and are the owner's to mend", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ask } = yield* serverClient
      const owner = yield* newAccount("owner")
      const browser = yield* visitor(owner)
      const apps = appsWith(owner, uris)
      const { findings, patterns } = yield* apply(jsonLines(...apps), { keepsPatterns: true })
      assert.strictEqual(patterns, uris.length)
      for (const [at, uri] of uris.entries()) {
        const { isNotable, kind, text = "" } = findings[at] ?? {}
        assert.deepStrictEqual([kind, isNotable], ["new", true], uri)
        assert.include(text, `redirect_uris.0 ${JSON.stringify(uri)} must`)
        assert.match(text, /: kept, for its owner to mend$/)
        const path = `/settings/apps/${encodeURIComponent(apps[at]?.client_id ?? "")}`
        const page = (yield* browser.get(`${path}/settings`)).text
        assert.include(page, "These need your attention", uri)
        assert.notInclude(page, "They keep working", uri)
        assert.include((yield* browser.get(`${path}/credentials`)).text, "redirect_uri=REDIRECT_URI", uri)
      }
      const [{ client_id: id } = { client_id: "" }] = apps
      const requested = ["https://crm.example/cb", "https://crm.example/"]
      for (const uri of requested) {
        const query = new URLSearchParams({ client_id: id, redirect_uri: uri })
        assert.strictEqual((yield* ask(`/auth/oauth2/authorize?${query}`)).status, 400, uri)
      }
      const path = `/v2/oauth-clients/${encodeURIComponent(id)}`
      assert.strictEqual((yield* browser.call("PATCH", path, { name: "New Timer" })).status, 400)
      const mended = yield* browser.call("PATCH", path, { redirectUris: ["https://crm.example/cb"] })
      assert.strictEqual(mended.status, 200)
      const rows = yield* sql`SELECT count(*)::int AS n FROM clients WHERE owner_id = ${owner}`
      assert.deepStrictEqual(rows, [{ n: uris.length }])
    }))

  it.effect("are never kept in a form that cannot be shown, or that a browser runs", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const keeping = { keepsPatterns: true, keepsRedirectUris: true }
      const apps = appsWith(owner, Object.keys(unkept))
      assert.strictEqual((yield* inspect(jsonLines(...apps), keeping)).wrong, apps.length)
    }))

  it.effect("are no addresses even if somebody presents them as they stand", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const browser = yield* visitor(owner)
      for (const uri of ["https://crm.example:{port}/cb", "http://127.0.0.1:*/cb"]) {
        const [old] = appsWith(owner, [uri])
        yield* apply(jsonLines(old ?? {}), { keepsPatterns: true })
        const query = new URLSearchParams({ client_id: old?.client_id ?? "", redirect_uri: uri })
        assert.strictEqual((yield* browser.get(`/auth/oauth2/authorize?${query}`)).status, 400, uri)
      }
    }))

  it.effect("are beside those that work in the settings, each with what becomes of it", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const browser = yield* visitor(owner)
      const old = app(owner, {
        client_id: `both-${unique()}`,
        redirect_uris: ["http://old.example/cb", "https://crm.example/*"]
      })
      const refused = yield* Effect.flip(apply(jsonLines(old), { keepsPatterns: true }))
      assert.match(JSON.stringify(refused.details), /redirect_uris.0 .*must be https; http is for loopback/)
      assert.notInclude(JSON.stringify(refused.details), "wildcard")
      yield* apply(jsonLines(old), { keepsPatterns: true, keepsRedirectUris: true })
      const page = (yield* browser.get(`/settings/apps/${old.client_id}/settings`)).text
      assert.match(
        page,
        /These need your attention[^]*https:\/\/crm\.example\/\*[^]*could not be registered here[^]*http:\/\/old\.example\/cb[^]*They keep working/
      )
    }))
})

layer(server(), { timeout: 60_000 })("Registration", (it) => {
  it.effect("refuses each of them by its cause", () =>
    Effect.gen(function*() {
      const browser = yield* visitor(yield* newAccount("owner"))
      for (const [uri, cause] of Object.entries({ ...patterns, ...unkept })) {
        const { json, status } = yield* browser.call("POST", "/v2/oauth-clients", {
          name: `CRM ${unique()}`,
          purpose: "Keeps bookings",
          website: "https://crm.example",
          kind: "public",
          redirectUris: [uri],
          scopes: ["PROFILE_READ"]
        })
        assert.strictEqual(status, 400, uri)
        const found = JSON.stringify(json["error"])
        assert.include(found, `redirectUris.0`)
        assert.include(found, JSON.stringify(cause).slice(1, -1), uri)
      }
    }))
})
