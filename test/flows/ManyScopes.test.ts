import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { make } from "../../src/domain/catalogue/Catalogue.ts"
import { check } from "../../src/domain/catalogue/file/CatalogueRules.ts"
import { TestServer } from "../../src/testing.ts"
import { crmCatalogue } from "../support/CrmCatalogue.ts"

/** As many scopes as a catalogue may have, with names as long as they may be. */
const names = Array.from({ length: 500 }, (_, at) => `contacts.of.all.kinds:${at}.${"x".repeat(64)}`.slice(0, 64))
const largest = {
  ...crmCatalogue,
  scopes: names.map((name, at) => ({
    name,
    level: "own",
    access: "read" as const,
    title: `See contacts of kind ${at}`,
    covers: `Lists contacts of kind ${at}.`
  })),
  profile: { scope: names[0] ?? "" },
  samples: { demo: names.slice(0, 1), tests: names.slice(0, 1) },
  operations: names.map((scope, at) => ({
    method: "GET" as const,
    path: `/kinds/${at}`,
    access: "scope" as const,
    scope
  }))
}

/** As many as one app may register: each takes 65 characters, with the space between. */
const fitting = make(largest).names.slice(0, Math.floor(3_001 / 65))

const baseUrl = "https://slotkey.test"

/** Bytes of headers, as they are on the wire. */
const sizeOf = (headers: Headers) =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

layer(TestServer.layer({ catalogue: largest }), { timeout: "1 minute" })("500 scopes with long names", (it) => {
  const textOf = (response: Response) => Effect.promise(() => response.text())
  const app = {
    kind: "confidential",
    name: "All Kinds",
    purpose: "Shows contacts.",
    website: "https://app.example",
    redirectUris: ["https://app.example/callback"]
  }

  it("are a catalogue", () => {
    assert.isTrue(Result.isSuccess(check(largest)))
    assert.strictEqual(new Set(names).size, 500)
    assert.isTrue(names.every(({ length }) => length === 64))
  })

  it.effect("are too many for one app, which is told so by form and API; some of them are not", () =>
    Effect.gen(function*() {
      const kit = yield* TestServer
      const session = yield* kit.session(yield* kit.user())
      const page = yield* kit.fetch(`/settings/apps/new/scopes?draft=${crypto.randomUUID()}`, {
        headers: { cookie: session.cookie }
      })
      const form = yield* textOf(page)
      assert.strictEqual(page.status, 200)
      for (const name of names) assert.include(form, `name="scope:${name}"`)
      const fields = { ...app, redirectUris: app.redirectUris.join("\n") }
      const boxes = (chosen: ReadonlyArray<string>) => Object.fromEntries(chosen.map((name) => [`scope:${name}`, "on"]))
      const all = yield* kit.submit(session, "/settings/apps", { ...fields, ...boxes(names) })
      assert.strictEqual(all.status, 400)
      assert.include(yield* textOf(all), "must take at most 3,000 characters together")
      const some = yield* kit.submit(session, "/settings/apps", { ...fields, ...boxes(fitting) })
      assert.strictEqual(some.status, 200)

      const register = (scopes: ReadonlyArray<string>) =>
        kit.fetch("/v2/oauth-clients", {
          method: "POST",
          headers: { cookie: session.cookie, "x-csrf-token": session.csrf, "content-type": "application/json" },
          body: JSON.stringify({ ...app, name: "Kinds by API", scopes })
        })
      const refused = yield* register(names)
      assert.strictEqual(refused.status, 400)
      assert.match(yield* textOf(refused), /"scopes".*must take at most 3000 characters together/)
      assert.strictEqual((yield* register(names.slice(0, fitting.length + 1))).status, 400)
      assert.strictEqual((yield* register(fitting)).status, 201)
    }))

  it.effect("as many as an app may have fit into all headers that carry them", () =>
    Effect.gen(function*() {
      const kit = yield* TestServer
      const user = yield* kit.user()
      const session = yield* kit.session(user)
      const scopes = fitting.join(" ")
      const registered = yield* kit.app({ owner: user, scopes: fitting })
      const query = new URLSearchParams({
        client_id: registered.clientId,
        redirect_uri: registered.redirectUri,
        scope: scopes,
        state: "s".repeat(64),
        code_challenge: "c".repeat(43)
      })
      const address = `/auth/oauth2/authorize?${query}`
      assert.isBelow(`GET ${baseUrl}${address}`.length, 8_000)
      const signIn = yield* kit.fetch(address)
      assert.strictEqual(signIn.status, 303)
      assert.isBelow(sizeOf(signIn.headers), 8_000)
      const asked = yield* kit.fetch(address, { headers: { cookie: session.cookie } })
      const page = yield* textOf(asked)
      assert.strictEqual(asked.status, 200)
      for (const at of fitting.keys()) assert.include(page, `See contacts of kind ${at}<`)

      const { accessToken } = yield* kit.tokens({ app: registered, user, scopes: fitting })
      const authorization = `Bearer ${accessToken}`
      assert.isBelow(`authorization: ${authorization}`.length, 8_000)
      const me = yield* kit.fetch("/v2/me", { headers: { authorization } })
      assert.strictEqual(me.status, 200)
      const checked = yield* kit.fetch("/v2/auth/oauth2/check/nginx", {
        headers: { authorization, "x-original-method": "GET", "x-original-uri": "/kinds/7" }
      })
      assert.strictEqual(checked.status, 200)
      assert.strictEqual(checked.headers.get("x-slotkey-scope"), scopes)
      assert.isBelow(sizeOf(checked.headers), 4_000)
      const metadata = yield* textOf(yield* kit.fetch("/.well-known/oauth-authorization-server"))
      const { scopes_supported }: Record<string, unknown> = JSON.parse(metadata)
      assert.deepStrictEqual(scopes_supported, names)
    }))
})
