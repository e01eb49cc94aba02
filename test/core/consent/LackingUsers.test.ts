import { assert, layer } from "@effect/vitest"
import { Arbitrary, DateTime, Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { SecretCheck } from "../../../src/core/clients/secrets/SecretCheck.ts"
import { readRequest } from "../../../src/core/consent/AuthorizationRequest.ts"
import { lackingUsers, missingOf } from "../../../src/core/consent/LackingUsers.ts"
import { givenBefore } from "../../../src/core/consent/PriorConsent.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { StoredGrants } from "../../../src/core/grants/GrantServices.ts"
import { builtIn, Catalogue, make } from "../../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { GrantId, UserId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { pairs } from "../catalogue/RandomCatalogues.ts"
import { clientId, seed } from "../tokens/Fixture.ts"
import { app, query } from "./Fixture.ts"

interface Given {
  readonly user: number
  readonly minute: number
  readonly scopes: ReadonlyArray<string> | null
  readonly declined: ReadonlyArray<string> | null
  readonly isEnded: boolean
}

const userOf = (number: number) => UserId.make(`user ${number}`)

/** Makes these the grants of the app; of several of one minute the last is the newest. */
const put = Effect.fnUntraced(function*(given: ReadonlyArray<Given>) {
  yield* seed
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  yield* sql`DELETE FROM grants WHERE client_id = ${clientId}`
  yield* Effect.forEach(given, ({ declined, isEnded, minute, scopes, user }, at) => {
    const id = GrantId.make(`018f0000-0000-7000-8000-${String(at).padStart(12, "0")}`)
    const created = DateTime.toDateUtc(DateTime.add(now, { minutes: minute - 10 }))
    return sql`INSERT INTO grants
      (id, handle_digest, client_id, user_id, scopes, declined, rotated_at, created_at, expires_at, revoked_at)
      VALUES (${id}, '', ${clientId}, ${userOf(user)}, ${scopes}::text[], ${declined}::text[], ${created}, ${created},
        ${DateTime.toDateUtc(DateTime.add(now, { days: 1 }))}, ${isEnded ? created : null}::timestamptz)`
  }, { discard: true })
})

/** Tests step by step if one scope leads to another. */
const leads = (file: CatalogueFile, from: string, to: string): boolean =>
  from === to ||
  (file.scopes.find(({ name }) => name === from)?.implies ?? []).some((next) => leads(file, next, to))

interface Scopes {
  readonly scopes: ReadonlyArray<string>
  readonly optional: ReadonlyArray<string>
}

/** Tells if no required scope brings this one with it. */
const mayDecline = (file: CatalogueFile, { optional, scopes }: Scopes, scope: string) =>
  !scopes.some((one) => !optional.includes(one) && leads(file, one, scope))

/** What a user said of a scope, told grant by grant. */
const wordOf = (
  file: CatalogueFile,
  app: Scopes,
  scope: string,
  newestFirst: ReadonlyArray<Given>
) => {
  const said = newestFirst.map((grant) => {
    if (grant.declined?.some((one) => leads(file, scope, one))) return "no"
    return grant.scopes === null || grant.scopes.some((one) => leads(file, one, scope)) ? "yes" : undefined
  })
  if (said.find((word) => word !== undefined) === "yes") return "given"
  return mayDecline(file, app, scope) && newestFirst.some(({ declined }) => declined?.includes(scope))
    ? "declined"
    : "lacking"
}

const names = ["profile", "a", "b", "c", "d", "another"]
const some = (maxLength: number) =>
  Arbitrary.map(
    Arbitrary.array(Arbitrary.schema(Schema.Literals(names)), { maxLength }),
    (found): ReadonlyArray<string> => [...new Set(found)]
  )
const upTo = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const scene = Arbitrary.all({
  pair: pairs(["/a"]),
  scopes: some(5),
  optional: some(3),
  given: Arbitrary.array(
    Arbitrary.all({
      user: upTo(3),
      minute: upTo(2),
      kind: upTo(7),
      scopes: some(4),
      declined: some(2)
    }),
    { maxLength: 8 }
  )
})

const sent = Result.getOrThrow(readRequest(query()))
const Services = StoredGrants.pipe(
  Layer.provide(SecretCheck.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(AppConfig.layerTest())
)

layer(Services)("users who lack a scope", (it) => {
  it.effect.prop(
    "are counted as grant by grant, and are those whom the app would ask, whatever the catalogue",
    [scene],
    ([{ given: drawn, optional, pair, scopes }]) =>
      Effect.gen(function*() {
        if (pair === undefined) return
        const { file } = pair.before
        const catalogue = make(file, pair.before)
        const given = drawn.map(({ kind, ...grant }): Given => ({
          ...grant,
          scopes: kind === 0 ? null : grant.scopes,
          declined: kind < 4 ? null : grant.declined,
          isEnded: kind === 1
        }))
        const client = app({ id: clientId, scopes, optionalScopes: optional })
        yield* put(given)
        const lacking = yield* Effect.flatMap(lackingUsers, (of) => of(client)).pipe(
          Effect.provideService(Catalogue, catalogue)
        )

        const live = given.filter(({ isEnded }) => !isEnded)
        const users = [...new Set(live.map(({ user }) => user))].map((user) => ({
          user,
          newestFirst: live.filter((one) => one.user === user).toReversed().sort((a, b) => b.minute - a.minute)
        }))
        const asked = file.scopes.map(({ name }) => name).filter((name) => scopes.includes(name))
        const words = (newestFirst: ReadonlyArray<Given>) =>
          asked.map((scope) => ({ scope, word: wordOf(file, { scopes, optional }, scope, newestFirst) }))
        const all = users.map(({ newestFirst }) => words(newestFirst))
        const count = (scope: string, word: string) =>
          all.filter((said) => said.some((one) => one.scope === scope && one.word === word)).length
        assert.deepStrictEqual(lacking, {
          users: users.length,
          isComplete: true,
          lacking: all.filter((said) => said.some(({ word }) => word === "lacking")).length,
          scopes: asked.map((scope) => ({
            scope,
            isOptional: mayDecline(file, { scopes, optional }, scope),
            lacking: count(scope, "lacking"),
            declined: count(scope, "declined")
          })).filter(({ declined, lacking }) => declined + lacking > 0)
        })

        const grants = yield* Grants
        for (const { newestFirst, user } of users) {
          const ofUser = yield* grants.listLive(userOf(user), clientId)
          const missing = missingOf(catalogue, client, ofUser, yield* DateTime.now)
          for (const { scope, word } of words(newestFirst)) {
            assert.strictEqual(missing.lacking.includes(scope), word === "lacking")
            assert.strictEqual(missing.declined.includes(scope), word === "declined")
            const request = {
              clientId,
              redirectUri: "",
              scopes: [scope],
              resource: null,
              state: null,
              codeChallenge: null
            }
            const isAsked = givenBefore(catalogue, client, sent, request, ofUser) === undefined
            assert.strictEqual(isAsked, word !== "given")
          }
        }
      }),
    { arbitrary: { runs: 80 } }
  )

  it.effect("are not asked for what no app may ask for: that needs an approval, and scopes of its own", () =>
    Effect.gen(function*() {
      yield* put([{ user: 1, minute: 0, scopes: ["PROFILE_READ"], declined: null, isEnded: false }])
      const of = yield* lackingUsers
      const wider = { id: clientId, scopes: ["PROFILE_READ", "BOOKING_READ"] } as const
      assert.deepInclude(yield* of(app(wider)), { users: 1, lacking: 1 })
      assert.deepInclude(yield* of(app({ ...wider, status: "suspended" })), { users: 1, lacking: 0, scopes: [] })
      assert.deepInclude(yield* of(app({ ...wider, legacy: true, scopes: [] })), { lacking: 0, scopes: [] })
      const retired = make({
        ...builtIn().file,
        scopes: builtIn().file.scopes.map((entry) =>
          entry.name === "BOOKING_READ" ? { ...entry, retired: { since: "1969-01-01", until: "1969-12-31" } } : entry
        )
      })
      const later = yield* Effect.provideService(lackingUsers, Catalogue, retired)
      assert.deepInclude(yield* later(app(wider)), { lacking: 0, scopes: [] })
    }))

  it.effect("are counted as far as a page can wait, and then with every grant of each", () =>
    Effect.gen(function*() {
      yield* put([])
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const insert = (scopes: ReadonlyArray<string>) =>
        sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
          SELECT gen_random_uuid(), '', ${clientId}, n::text, ${scopes}::text[], ${now}, ${now}::timestamptz,
            ${now}::timestamptz + interval '1 year' FROM generate_series(1, 10050) n`
      yield* insert(["PROFILE_READ"])
      const client = app({ id: clientId, scopes: ["PROFILE_READ", "BOOKING_READ"] })
      const of = yield* lackingUsers
      assert.deepInclude(yield* of(client), { users: 10_001, isComplete: false, lacking: 10_001 })
      // What each of them gave once more stands far behind in the table.
      yield* insert(["BOOKING_READ"])
      assert.deepInclude(yield* of(client), { isComplete: false, lacking: 0, scopes: [] })
    }))
})
