import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../../src/core/clients/life/Registration.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { english, Languages } from "../../../src/foundation/messages/Languages.ts"
import { TestServer } from "../../../src/testing.ts"
import { accented, accentedCatalogue, strayTexts } from "../../support/StrayTexts.ts"

const Server = TestServer.layer({ catalogue: accentedCatalogue, REDIRECT_SCHEMES: "cursor" }).pipe(
  Layer.provide(Layer.succeed(Languages, [english, accented]))
)

/** Words of people, in letters that no English text has. */
const [name, words] = ["Þé Åþ", "Þð ñöţ ķñöŵ."]

const registration: RegistrationInput = {
  kind: "confidential",
  name,
  purpose: words,
  website: "https://app.example",
  redirectUris: ["https://app.example/callback"],
  scopes: ["PROFILE_READ", "BOOKING_READ"]
}

layer(Server, { timeout: "2 minutes" })("the pages of reviewers, in the pseudo-language", (it) => {
  const scene = Effect.gen(function*() {
    const kit = yield* TestServer
    yield* kit.reset
    const registry = yield* ClientRegistry
    const review = yield* ClientReview
    const admin = yield* kit.user({ name: "Ümýt Ñø", role: "admin" })
    const [ann, ben] = [yield* kit.user({ name: "Åññ" }), yield* kit.user({ name: "Ɓéñ" })]
    const { cookie, csrf } = yield* kit.session(admin)
    const headers = { "accept-language": accented.tag, cookie, "sec-fetch-site": "same-origin" }
    const ask = (path: string, init: RequestInit = {}) =>
      Effect.gen(function*() {
        const response = yield* kit.fetch(path, { headers, ...init })
        const text = yield* Effect.promise(() => response.text())
        return { path, status: response.status, tag: response.headers.get("content-language"), text }
      })
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      ask(path, { method: "POST", body: new URLSearchParams({ csrf, ...fields }) })
    const register = (owner: typeof ann, input: Partial<RegistrationInput> = {}) =>
      Effect.map(registry.register(owner.id, { ...registration, ...input }), ({ client }) => client)
    const approved = (owner: typeof ann, input: Partial<RegistrationInput> = {}) =>
      Effect.flatMap(register(owner, input), ({ id }) => review.approve(admin.id, id, 1))
    return { admin, ann, approved, ask, ben, kit, post, register, registry, review }
  })

  /** Pages and their texts that are no messages. */
  const faultsOf = (pages: ReadonlyArray<Effect.Success<ReturnType<Effect.Success<typeof scene>["ask"]>>>) =>
    pages.flatMap(({ path, status, tag, text }) => {
      const stray = tag === accented.tag ? strayTexts(text) : [`is in ${tag}, with ${status}`]
      return stray.length === 0 ? [] : [[path, ...stray]]
    })

  it.effect("have no text that is no message, whatever became of an app", () =>
    Effect.gen(function*() {
      const { admin, ann, approved, ask, ben, post, register, registry, review } = yield* scene
      const audit = yield* AuditLog
      const known = yield* approved(ann)
      const other = { name: "Ŵåĺĺ", website: "https://else.example" }
      const twin = yield* register(ben, { website: "https://else.example" })
      const mixed = yield* register(ben, { name: "Ñаñá Ｃ" })
      const ours = yield* register(admin, { name: "Slotkey" })
      const device = yield* register(ann, { name: "Ðéṽ", kind: "public", redirectUris: ["cursor://a/cb"] })
      const refused = yield* register(ben, { name: "Ŕéƒ" })
      yield* review.reject(admin.id, refused.id, words, 1)
      const changed = yield* approved(ann, { name: "Çĥå" })
      yield* registry.edit(ann.id, changed.id, {
        ...other,
        scopes: ["PROFILE_READ", "TEAM_BOOKING_READ"],
        purpose: name
      })
      const rejected = yield* approved(ann, { name: "Ŕéĵ" })
      yield* registry.edit(ann.id, rejected.id, { name: "Ñéŵ" })
      yield* review.reject(admin.id, rejected.id, words, 3)
      const suspended = yield* approved(ben, { name: "Šűš" })
      yield* registry.edit(ben.id, suspended.id, { name: "Šűšñ", refreshGrace: "short" })
      yield* review.suspend(admin.id, suspended.id, words)
      yield* audit.record({
        actor: "cli",
        action: "client.widened",
        clientId: known.id,
        details: { widened: "BOOKING_READ: reaches the new GET /v2/a; BOOKING_READ and PROFILE_READ: covers APPS_READ" }
      })
      const apps = [known, twin, mixed, ours, device, refused, changed, rejected, suspended]
      assert.deepStrictEqual(
        faultsOf([
          yield* ask("/review"),
          ...yield* Effect.forEach(
            ["waiting", "pending", "approved", "suspended", "all"],
            (state) => ask(`/review?state=${state}`)
          ),
          yield* ask("/review?state=suspended&search=%C3%9Cx"),
          yield* ask(`/review?state=suspended&search=${encodeURIComponent(name)}`),
          ...yield* Effect.forEach(apps, ({ id }) => ask(`/review/${id}`)),
          // Decisions that come too late, or lack a confirmation.
          yield* ask("/review/nobody"),
          yield* post(`/review/${twin.id}/approve`, { version: "1" }),
          yield* post(`/review/${known.id}/reject`, { version: "1", reason: words }),
          yield* post(`/review/${known.id}/reject`, { version: "2", reason: words }),
          yield* post(`/review/${known.id}/undo-rejection`, { version: "2", reason: words }),
          yield* post(`/review/${known.id}/resume`, { version: "2" }),
          yield* post(`/review/${twin.id}/suspend`, { version: "1", reason: words })
        ]),
        []
      )
      const decided: Array<Effect.Success<ReturnType<typeof ask>>> = []
      for (
        const [{ id }, action] of [
          [twin, "reject"],
          [twin, "undo-rejection"],
          [known, "suspend"],
          [known, "resume"],
          [changed, "approve"]
        ] as const
      ) {
        const version = String((yield* review.get(id)).version)
        assert.strictEqual((yield* post(`/review/${id}/${action}`, { version, reason: words })).status, 303, action)
        decided.push(yield* ask(`/review/${id}`))
      }
      assert.deepStrictEqual(faultsOf(decided), [])
    }))

  it.effect("have no text that is no message, however far legacy apps are", () =>
    Effect.gen(function*() {
      const { ann, approved, ask, post, registry } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const legacy = Effect.fnUntraced(function*(called: string, days: number, requests: ReadonlyArray<string>) {
        const client = yield* approved(ann, { name: called })
        yield* sql`UPDATE clients SET legacy = true, scopes = '{}',
          observed_since = now() - ${days}::int * interval '1 day' WHERE id = ${client.id}`
        for (const key of requests) {
          yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
            VALUES (${client.id}, now()::date, ${key}, 2, now())`
        }
        if (requests.length === 0) return client
        yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
          VALUES (${client.id}, now()::date, 'BOOKING_READ', 'unrestricted', 2),
            (${client.id}, now()::date, '*', 'unrestricted', 2), (${client.id}, now()::date, '', 'unlisted', 2)`
        yield* sql`INSERT INTO client_operations (client_id, day, operation, outcome, calls)
          VALUES (${client.id}, now()::date, 'POST /v2/a', 'closed', 2)`
        return client
      })
      const used = ["*", "PROFILE_READ"]
      const inReview = yield* legacy("Ŕöţå", 60, used)
      yield* registry.edit(ann.id, inReview.id, { scopes: ["PROFILE_READ", "TEAM_BOOKING_READ"], breakOldUrls: true })
      yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
        VALUES (${inReview.id}, now()::date, '', 2, now()), (${inReview.id}, now()::date, ' öþéñ', 1, now())`
      const apps = [
        inReview,
        yield* legacy("Ŷöû", 1, used),
        yield* legacy("Ṽéŕ", 60, [...used, ""]),
        yield* legacy("Ŵöŕ", 60, [...used, " öþéñ"]),
        yield* legacy("Šåƒ", 60, used),
        yield* legacy("Ñöñ", 60, [])
      ]
      const moved = yield* legacy("Ṁöṽ", 60, used)
      yield* registry.edit(ann.id, moved.id, { scopes: ["PROFILE_READ"], breakOldUrls: true })
      const { version } = yield* (yield* ClientReview).get(inReview.id)
      assert.deepStrictEqual(
        faultsOf([
          ...yield* Effect.forEach([...apps, moved], ({ id }) => ask(`/review/${id}`)),
          yield* post(`/review/${inReview.id}/approve`, { version: String(version) }),
          yield* ask("/review/migration"),
          yield* ask("/review/migration?state=all&sort=name"),
          yield* ask("/review/migration?state=migrated&search=%C3%9Cx"),
          yield* ask("/review/migration/mail?state=migrated&search=%C3%9Cx"),
          yield* Effect.andThen(post("/review/migration/mail", { state: "open" }), ask("/review/migration")),
          yield* Effect.andThen(post("/review/migration/mail", { state: "open" }), ask("/review/migration"))
        ]),
        []
      )
    }))
})
