import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { make } from "../../src/domain/catalogue/Catalogue.ts"
import { BuiltInScope } from "../../src/domain/scopes/BuiltInNames.ts"
import * as Testing from "../../src/testing.ts"
import { slotkey } from "../support/Cli.ts"
import { commands } from "../support/CommandTree.ts"
import { crmCatalogue } from "../support/CrmCatalogue.ts"
import { registeredRoutes } from "../support/Routes.ts"

// A platform that is no scheduling platform never reads the words of one: on no page, in no mail and no document. What
// falls back on the built-in catalogue shows here, and so does a text that takes an example from it.

const builtInName = new RegExp(`(?<![A-Z_])(?:${BuiltInScope.literals.join("|")})(?![A-Z_])`)
const schedulingWord = /booking|calendar|schedul|event.?type|meeting|\bteam|\borgani[sz]|\borg_|\/v2\/[a-z]*event/i

/** Profile of a user, which has the same fields on every platform (docs/decisions/catalogue.md). */
const profileFields =
  /defaultScheduleId|organization(?:Id|Name)|decidesForOrganization|The (?:id|name) of the user(?:'|&#39;)s (?:default schedule|organization) on the platform/g

const assertOwnWords = (text: string, where: string) => {
  const shown = text.replaceAll(profileFields, "")
  for (const word of [builtInName, schedulingWord]) {
    const { index, 0: found } = word.exec(shown) ?? { index: 0, 0: undefined }
    assert.isUndefined(found, `${where}: ${JSON.stringify(shown.slice(Math.max(0, index - 80), index + 80))}`)
  }
}

const crm = make(crmCatalogue)
const scopes = (text: string) => crm.named(text).scopes

layer(Testing.TestServer.layer({ catalogue: crmCatalogue }), { timeout: "2 minutes" })(
  "a server of a CRM, in the words of that",
  (it) => {
    const textAt = Effect.fnUntraced(function*(path: string, init: RequestInit) {
      const response = yield* (yield* Testing.TestServer).fetch(path, init)
      assert.isBelow(response.status, 500, path)
      return yield* Effect.promise(() => response.text())
    })

    it.effect("answers every address, whatever app it is about", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const admin = yield* kit.user({ role: "admin" })
        const owner = { owner: admin }
        const all = { scopes: scopes("account.read contacts.write members.write") }
        const connected = yield* kit.app({ ...owner, ...all })
        yield* kit.tokens({ app: connected, user: admin })
        const old = yield* kit.app({ ...owner, legacy: true })
        yield* kit.tokens({ app: old, user: admin })
        const device = yield* kit.app({ ...owner, ...all, kind: "public" })
        const pending = yield* kit.app({ ...owner, ...all, status: "pending" })
        const rejected = yield* kit.app({ ...owner, ...all, status: "rejected" })
        const suspended = yield* kit.app({ ...owner, ...all, status: "suspended" })
        const session = yield* kit.session(admin)
        const { cookie } = session
        const paths = (yield* registeredRoutes).flatMap((route) => route.startsWith("GET ") ? [route.slice(4)] : [])
          // A browser reads the style sheet of a library.
          .filter((path) => !path.endsWith("pico.classless.min.css"))
        assert.isAbove(paths.length, 50)
        for (const { clientId } of [connected, old, device, pending, rejected, suspended]) {
          for (const path of paths) {
            const address = path.replace(":id", path.includes("/users/") ? admin.id : clientId)
              .replace(/^\/playground$/, `/playground?app=${clientId}`)
            for (const headers of [{ cookie }, {}]) assertOwnWords(yield* textAt(address, { headers }), address)
          }
        }
        const asking = new URLSearchParams({ client_id: connected.clientId, redirect_uri: connected.redirectUri })
        for (const scope of ["contacts.write", "contacts.write members.write", "BOKING_READ", "contacts.raed", ""]) {
          const address = `/auth/oauth2/authorize?${asking}&scope=${scope}`
          assertOwnWords(
            (yield* textAt(address, { headers: { cookie } })).replaceAll("BOKING_READ", ""),
            `consent to ${scope}`
          )
        }
        for (const path of ["/docs/scopes?q=members", "/docs/scopes?q=nothing+like+this", "/review?search=members."]) {
          assertOwnWords(yield* textAt(path, { headers: { cookie } }), path)
        }
      }))

    it.effect("answers forms, filled in or not", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const admin = yield* kit.user({ role: "admin" })
        const session = yield* kit.session(admin)
        const app = yield* kit.app({ owner: admin })
        const old = yield* kit.app({ owner: admin, legacy: true })
        const paths = (yield* registeredRoutes).flatMap((route) => route.startsWith("POST ") ? [route.slice(5)] : [])
        // Those of the account would end the session, and the account with it.
        const pages = paths.filter((path) => /^\/(?:settings|review|users|playground|connections)/.test(path))
        assert.isAbove(pages.length, 20)
        for (const { clientId } of [app, old]) {
          for (const path of pages.filter((path) => !path.endsWith("/delete"))) {
            const address = path.replace(":id", path.includes("/users/") ? admin.id : clientId)
            const response = yield* kit.submit(session, address, { app: clientId, client_id: clientId })
            assert.isBelow(response.status, 500, address)
            assertOwnWords(yield* Effect.promise(() => response.text()), `POST ${address}`)
          }
        }
      }))

    it.effect("refuses calls in them, at every door", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const { accessToken } = yield* kit.tokens({ scopes: scopes("contacts.read") })
        const authorization = `Bearer ${accessToken}`
        const calls: ReadonlyArray<readonly [string, Record<string, string>]> = [
          ["/v2/me", { authorization }],
          ["/v2/me", {}],
          ["/v2/auth/oauth2/userinfo", { authorization }],
          ["/v2/auth/oauth2/check/nginx", { authorization }],
          ...["/api/deals", "/api/contacts/7/timeline", "/api/nothing"].map((uri) =>
            ["/v2/auth/oauth2/check/nginx", {
              authorization,
              "x-original-method": "GET",
              "x-original-uri": uri
            }] as const
          )
        ]
        for (const [path, headers] of calls) {
          const response = yield* kit.fetch(path, { headers })
          assert.isAtLeast(response.status, 400)
          const body = yield* Effect.promise(() => response.text())
          assertOwnWords(`${body} ${response.headers.get("www-authenticate")}`, `${path} ${headers["x-original-uri"]}`)
        }
      }))

    it.effect("writes mails and webhooks in them", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        yield* TestClock.setTime(Date.UTC(2026, 10, 1))
        yield* kit.user({ role: "admin" })
        const all = { scopes: scopes("account.read contacts.write members.write") }
        const app = yield* kit.app({ ...all, status: "pending" })
        yield* kit.decide(app, "reject", "The purpose is too vague.")
        const other = yield* kit.app({ ...all, status: "pending" })
        yield* kit.decide(other, "approve")
        yield* kit.decide(other, "suspend", "It is looked into.")
        yield* kit.decide(other, "resume")
        yield* kit.tokens({ app: other })
        yield* kit.stolenTokens()
        const old = yield* kit.app({ legacy: true })
        yield* kit.tokens({ app: old })
        yield* kit.advance("340 days")
        yield* kit.runScheduledJobs()
        const mails = yield* kit.mails
        assert.isAbove(mails.length, 8)
        for (const { subject, text } of mails) assertOwnWords(`${subject}\n${text}`, subject)
        const events = yield* kit.webhooks
        assert.isNotEmpty(events)
        assertOwnWords(JSON.stringify(events), "a webhook")
      }))
  }
)

describe("the command line", () => {
  it.live("takes its examples from no platform", () =>
    Effect.gen(function*() {
      for (const { path } of commands) {
        const { code, stdout } = yield* slotkey([...path.split(" "), "--help"])
        assert.strictEqual(code, 0, path)
        assert.include(stdout, path.split(" ")[0] ?? path)
        assertOwnWords(stdout, `slotkey ${path} --help`)
      }
    }), 60_000)
})
