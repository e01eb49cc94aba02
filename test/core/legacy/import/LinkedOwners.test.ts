import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LinkedAccounts } from "../../../../src/core/accounts/linked/LinkedAccounts.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import type { ImportOptions } from "../../../../src/core/legacy/import/ImportedClient.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { eventually } from "../../../support/Eventually.ts"
import { isServer } from "../../../support/TestDatabase.ts"
import { basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { app, apply, counts, findings, jsonLines, listenTo, token, unique } from "./Scenario.ts"

const issuer = "https://login.platform.example/realms/main"
const platform = "https://platform.example"
const env = {
  SIGN_IN: "local oidc handover",
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: "slotkey",
  HANDOVER_URL: `${platform}/login`,
  HANDOVER_KEY: "k".repeat(32)
}

const creating: ImportOptions = { createsAccounts: true }

/** A user of the provider of whom this server has not heard. */
const stranger = () => ({ issuer, subject: `u-${unique()}` })

const signIn = (subject: { readonly issuer: string; readonly subject: string }, profile = {}) =>
  Effect.orDie(Effect.flatMap(LinkedAccounts, (linked) => linked.signIn({ ...subject, profile, roles: {} })))

const inspect = (text: string, options: ImportOptions) =>
  Effect.flatMap(LegacyImport, (imports) => listenTo(imports.inspect(Stream.make(text), options)))

const ownerOf = Effect.fnUntraced(function*(clientId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ ownerId: UserId }>`SELECT owner_id FROM clients WHERE id = ${clientId}`
  return row?.ownerId ?? UserId.make("nobody")
})

/** Users of an app's grants. */
const usersOf = Effect.fnUntraced(function*(clientId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ userId: string }>`SELECT user_id FROM grants WHERE client_id = ${clientId}`
  return rows.map(({ userId }) => userId)
})

layer(server(env), { timeout: 60_000 })("Owners and users by issuer and subject", (it) => {
  it.effect("are the accounts of people who have signed in, in JSON and in CSV", () =>
    Effect.gen(function*() {
      const [owner, user] = [stranger(), { issuer: platform, subject: `7-${unique()}` }]
      const [ownerId, userId] = [(yield* signIn(owner)).id, (yield* signIn(user)).id]
      const inJson = app("", { owner, refresh_tokens: [{ ...token(`refresh-${unique()}-token`, ""), user }] })
      const { accounts } = yield* apply(jsonLines(inJson))
      assert.strictEqual(accounts, 0)
      assert.deepStrictEqual([yield* ownerOf(inJson.client_id), yield* usersOf(inJson.client_id)], [ownerId, [userId]])

      const inCsv = `csv-${unique()}`
      yield* apply([
        "client_id,owner_issuer,owner_subject,name,redirect_uris,client_secret,client_secret_algorithm," +
        "refresh_token,refresh_token_algorithm,refresh_token_user_issuer,refresh_token_user_subject",
        `${inCsv},${issuer},${owner.subject},Old,https://old.example/cb,a long enough secret,clear,` +
        `refresh-${unique()}-token,clear,${platform},${user.subject}`
      ].join("\n"))
      assert.deepStrictEqual([yield* ownerOf(inCsv), yield* usersOf(inCsv)], [ownerId, [userId]])
    }))

  it.effect("have no account before they sign in, unless the import is asked to make it", () =>
    Effect.gen(function*() {
      const [owner, user] = [stranger(), stranger()]
      const old = app("", { owner, refresh_tokens: [{ ...token(`refresh-${unique()}-token`, ""), user }] })
      assert.deepStrictEqual(yield* findings(jsonLines(old)), [
        `1 wrong: owner.subject "${owner.subject}" has no account yet: --create-accounts makes it; ` +
        `refresh_tokens.0.user.subject "${user.subject}" has no account yet: --create-accounts makes it`
      ])
      const before = yield* counts
      const more = { client_id: old.client_id, refresh_tokens: [{ ...token(`refresh-${unique()}-token`, ""), user }] }
      const wouldBe = yield* inspect(jsonLines(old, more), creating)
      assert.deepStrictEqual([wouldBe.accounts, wouldBe.findings.map(({ text }) => text)], [2, [
        "new app, 1 secret, 1 refresh token, 2 accounts",
        "1 refresh token"
      ]])
      assert.deepStrictEqual(yield* counts, before)
    }))

  it.effect("find the account that the import has made when they sign in for the first time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ask, token: post } = yield* serverClient
      const [owner, user] = [stranger(), stranger()]
      const refresh = `refresh-${unique()}-token`
      const old = app("", {
        client_id: `made-${unique()}`,
        owner,
        refresh_tokens: [{ ...token(refresh, ""), user }, { ...token(`refresh-${unique()}-token`, ""), user }]
      })
      const file = jsonLines(old, app("", { owner }))
      assert.strictEqual((yield* apply(file, creating)).accounts, 2)
      const [ownerId, userIds] = [yield* ownerOf(old.client_id), yield* usersOf(old.client_id)]
      // Nothing is known of them yet, and nothing is reported.
      const unknown = Option.getOrThrow(yield* (yield* IdentitySource).find(ownerId))
      assert.deepInclude({ ...unknown }, { name: ownerId, email: "", emailVerified: false, role: "user" })

      const fields = { grant_type: "refresh_token", client_id: old.client_id, refresh_token: refresh }
      const { json, status } = yield* post(fields, basic(old.client_id, "s3cr+t/%2B==old-server"))
      assert.strictEqual(status, 200)
      const headers = { authorization: `Bearer ${json["access_token"]}` }
      const { json: claims } = yield* ask("/v2/auth/oauth2/userinfo", { headers })
      assert.deepStrictEqual(Object.keys(claims).sort(), ["id", "sub", "zoneinfo"])

      const again = yield* apply(file, creating)
      assert.deepStrictEqual([again.accounts, again.there], [0, 2])

      const name = `ann-${unique()}`
      const ann = yield* signIn(owner, { email: `${name}@platform.example` })
      assert.deepInclude({ ...ann }, { id: ownerId, username: name, name: `${name}@platform.example` })
      const uma = yield* signIn(user, { name: "Uma", username: name })
      assert.deepStrictEqual(userIds, [uma.id, uma.id])
      assert.match(uma.username, new RegExp(`^${name}-[0-9a-f]{8}$`))
      assert.deepStrictEqual(yield* signIn(user), uma)
      const trail =
        yield* sql`SELECT actor, action, details FROM audit_log WHERE user_id = ${uma.id} ORDER BY id LIMIT 1`
      assert.deepStrictEqual(trail, [
        { actor: "cli", action: "account.created", details: { role: "user", issuer, subject: user.subject } }
      ])
    }))

  it.effect("keep the account with which they signed in while the file was read", () =>
    Effect.gen(function*() {
      const [owner, user] = [stranger(), stranger()]
      const old = app("", { owner, refresh_tokens: [{ ...token(`refresh-${unique()}-token`, ""), user }] })
      const ids: Array<string> = []
      const linked = yield* LinkedAccounts
      const imported = yield* listenTo(
        Effect.flatMap(LegacyImport, (imports) => imports.apply(Stream.make(jsonLines(old)), "cli", creating)),
        (step) =>
          step === "lines read"
            ? Effect.map(Effect.forEach([owner, user], (subject) => signIn(subject)), (accounts) => {
              ids.push(...accounts.map(({ id }) => id))
            }).pipe(Effect.provideService(LinkedAccounts, linked))
            : Effect.void
      )
      assert.deepStrictEqual([imported.accounts, imported.apps, imported.refreshTokens], [0, 1, 1])
      assert.deepStrictEqual([yield* ownerOf(old.client_id), ...yield* usersOf(old.client_id)], ids)
    }))

  // The embedded database serves one transaction at a time.
  it.effect.skipIf(!isServer)(
    "keep the account that they get by a sign-in while the file is written",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const linked = yield* LinkedAccounts
        const owner = stranger()
        const old = app("", { owner })
        const [begun, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const signingIn = yield* Effect.forkChild(
          linked.signInThen(
            { ...owner, profile: {}, roles: {} },
            ({ id }) => Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(done)), Effect.as(id))
          )
        )
        yield* Deferred.await(begun)
        const importing = yield* Effect.forkChild(apply(jsonLines(old), creating))
        const isWaiting = Effect.map(
          sql`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
          (rows) => rows.length > 0
        )
        yield* TestClock.withLive(eventually(isWaiting))
        yield* Deferred.succeed(done, undefined)
        const id = yield* Fiber.join(signingIn)
        assert.deepInclude({ ...yield* Fiber.join(importing) }, { accounts: 0, apps: 1 })
        assert.strictEqual(yield* ownerOf(old.client_id), id)
      })
  )

  it.effect("of records that do not fit, or of tokens that are left out, get no account", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const [owner, lost, late] = [stranger(), stranger(), stranger()]
      const expired = { ...token(`refresh-${unique()}-token`, ""), user: late, expires_at: "1969-12-31T00:00:00Z" }
      const text = jsonLines(
        app("", { owner, refresh_tokens: [expired] }),
        app("", { owner: lost, redirect_uris: ["http://old.example/callback"] })
      )
      assert.strictEqual((yield* apply(text, { ...creating, skips: true })).accounts, 1)
      const have = yield* Effect.forEach([owner, lost, late], (one) => linked.find(one))
      assert.deepStrictEqual(have.map(Option.isSome), [true, false, false])
    }))

  it.effect("at an issuer that nobody trusts, or only half named, are faults", () =>
    Effect.gen(function*() {
      const owner = (yield* signIn(stranger())).id
      const elsewhere = { issuer: "https://old-provider.example", subject: "1" }
      yield* signIn(elsewhere)
      const text = jsonLines(
        app("", { owner: elsewhere }),
        app("", { owner: { issuer: `${issuer}/`, subject: "1" } }),
        app("", { owner: { issuer } }),
        app("", { owner: { issuer, subject: 7 } }),
        app("", { owner: { issuer, subject: "1", email: "a@b.example" } }),
        app("", { owner: 7 }),
        app("", { owner: { issuer, subject: "x".repeat(256) } }),
        app("nobody@example.com"),
        app(owner, { refresh_tokens: [token(`refresh-${unique()}-token`, "nobody")] })
      )
      const unknown =
        "names no account here: an address names local accounts alone, all others have an id, or an issuer and a subject"
      const faults = (yield* inspect(text, creating)).findings.map(({ text }) => text)
      assert.deepStrictEqual(faults, [
        `owner.issuer "https://old-provider.example" must be one that SIGN_IN trusts: ${issuer}, ${platform}`,
        `owner.issuer "${issuer}/" must be one that SIGN_IN trusts: ${issuer}, ${platform}`,
        "owner.subject is required",
        "owner.subject 7 must be a string",
        "owner.email \"a@b.example\" is not a known field",
        "owner 7 must be an e-mail address, an account id, or an object of issuer and subject",
        `owner.subject "${"x".repeat(199)}… must have 1 to 255 characters, none of them control characters`,
        `owner "nobody@example.com" ${unknown}`,
        `refresh_tokens.0.user "nobody" ${unknown}`
      ])
      const csv = [
        "client_id,owner,owner_issuer,owner_subject,name,redirect_uris",
        `crm,${owner},${issuer},1,Old,https://old.example/cb`,
        `crm,,,1,Old,https://old.example/cb`
      ].join("\n")
      assert.deepStrictEqual((yield* inspect(csv, creating)).findings.map(({ clientId, text }) => [clientId, text]), [
        ["crm", "owner stands beside an issuer or a subject: leave one of the two out"],
        ["crm", "owner.issuer is required"]
      ])
    }))

  it.effect("may be more than one transaction takes", () =>
    Effect.gen(function*() {
      const run = unique()
      const text = jsonLines(...Array.from({ length: 1_500 }, (_, n) =>
        app("", {
          client_id: `${run}-${n}`,
          name: `App ${n}`,
          owner: { issuer, subject: `${run}-${n % 1_200}` }
        })))
      assert.strictEqual((yield* apply(text, creating)).accounts, 1_200)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT count(*)::int AS apps, count(DISTINCT owner_id)::int AS owners FROM clients c
          JOIN identities i ON i.account_id = c.owner_id
          WHERE c.id LIKE ${`${run}-%`} AND i.subject = ${run} || '-' || (substr(c.id, ${run.length + 2})::int % 1200)`,
        [{ apps: 1_500, owners: 1_200 }]
      )
      assert.deepStrictEqual((yield* inspect(text, {})).there, 1_500)
    }), 180_000)
})

layer(server(), { timeout: 60_000 })("A server where people sign in with passwords alone", (it) => {
  it.effect("trusts no issuer", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* findings(jsonLines(app("", { owner: { issuer, subject: "1" } }))), [
        `1 wrong: owner.issuer "${issuer}" must be one that SIGN_IN trusts: no issuer`
      ])
    }))
})
