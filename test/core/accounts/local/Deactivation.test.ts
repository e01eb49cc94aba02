import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { deactivation } from "../../../../src/core/accounts/local/Deactivation.ts"
import { MailedLinks } from "../../../../src/core/accounts/local/MailedLinks.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { readRequest } from "../../../../src/core/consent/AuthorizationRequest.ts"
import { Consent } from "../../../../src/core/consent/Consent.ts"
import { CodeStore } from "../../../../src/core/grants/CodeStore.ts"
import { Grants } from "../../../../src/core/grants/Grants.ts"
import * as Credential from "../../../../src/domain/Credential.ts"
import { GrantId } from "../../../../src/domain/Ids.ts"
import * as Uuid from "../../../../src/domain/Uuid.ts"
import { approvedClient, grant, newAccount, Services } from "../../../doors/consent/Scenario.ts"
import { eventually } from "../../../support/Eventually.ts"

const All = MailedLinks.layer.pipe(
  Layer.provideMerge(ApiKeys.layer),
  Layer.provideMerge(Layer.merge(Accounts.layer, ManagedAccounts.layer)),
  Layer.provideMerge(Services)
)

const redirectUri = "https://app.example/callback"

layer(All)("An account that is disabled", (it) => {
  it.effect("loses its sessions, grants and unspent codes, and keeps its API keys until it is enabled", () =>
    Effect.gen(function*() {
      const apiKeys = yield* ApiKeys
      const codes = yield* CodeStore
      const grants = yield* Grants
      const sessions = yield* Sessions
      const [user, neighbour] = [yield* newAccount("user"), yield* newAccount("neighbour")]
      const admin = yield* newAccount("admin", "admin")
      const app = yield* approvedClient(yield* newAccount("owner"), admin, { kind: "public" })
      for (const account of [user, user, neighbour]) yield* grant(account, app.id, ["PROFILE_READ"])
      const token = Redacted.value(yield* sessions.start(user))
      const issue = Effect.fnUntraced(function*() {
        const consent = { clientId: app.id, userId: user, scopes: ["PROFILE_READ"] as const, redirectUri }
        const code = yield* codes.issue({ ...consent, codeChallenge: "c" })
        return {
          digest: Credential.digest(Redacted.value(code)),
          clientId: app.id,
          secretDigest: null,
          redirectUri,
          codeChallenge: "c",
          grantId: GrantId.make(Uuid.v7(0)),
          handleDigest: new Uint8Array(32)
        }
      })
      const code = yield* issue()
      const { key } = yield* apiKeys.create(user, "a script", user)

      assert.strictEqual(yield* (yield* deactivation)(user, "cli"), 2)

      assert.isTrue(Option.isNone(yield* sessions.find(token)))
      assert.deepStrictEqual(yield* grants.listLive(user), [])
      assert.strictEqual((yield* grants.redeem(code))._tag, "Refused")
      assert.lengthOf(yield* grants.listLive(neighbour), 1)

      yield* (yield* ManagedAccounts).setDisabled(user, false, "cli")
      assert.isTrue(Option.isSome(yield* apiKeys.verify(Redacted.value(key))))
      assert.strictEqual((yield* grants.redeem(yield* issue()))._tag, "Redeemed")
    }))

  it.effect("gets no code from a request that was under way", () =>
    Effect.gen(function*() {
      const consent = yield* Consent
      const sessions = yield* Sessions
      const user = yield* newAccount("user")
      const admin = yield* newAccount("admin", "admin")
      const app = yield* approvedClient(yield* newAccount("owner"), admin)
      yield* grant(user, app.id, ["PROFILE_READ"])
      const session = Option.getOrThrow(yield* sessions.find(Redacted.value(yield* sessions.start(user))))
      const parameters = {
        client_id: app.id,
        redirect_uri: app.redirectUris[0]!,
        response_type: "code",
        scope: "PROFILE_READ"
      }
      const account = Option.getOrThrow(yield* (yield* IdentitySource).find(user))
      const asked = { session, account }
      const query = yield* Effect.fromResult(readRequest(`${new URLSearchParams(parameters)}`))
      assert.strictEqual((yield* consent.authorize(asked, app, query))._tag, "Redirect")
      yield* (yield* deactivation)(user, "cli")
      yield* grant(user, app.id, ["PROFILE_READ"])
      assert.strictEqual((yield* Effect.flip(consent.authorize(asked, app, query)))._tag, "SessionEnded")
    }))

  // PGlite runs one transaction after the other, so nothing can be concurrent there.
  it.effect.skipIf(process.env["TEST_DATABASE_URL"] === undefined)(
    "waits for the code of a request that came first",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const codes = yield* CodeStore
        const sessions = yield* Sessions
        const user = yield* newAccount("user")
        const app = yield* approvedClient(yield* newAccount("owner"), yield* newAccount("admin", "admin"))
        const session = Option.getOrThrow(yield* sessions.find(Redacted.value(yield* sessions.start(user))))
        const left = Effect.map(sql`SELECT 1 FROM codes WHERE user_id = ${user}`, (rows) => rows.length)
        const waiting = Effect.map(
          sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          (rows) => rows.length > 0
        )
        const [held, decided] = [yield* Latch.make(), yield* Latch.make()]
        const consent = {
          clientId: app.id,
          userId: user,
          scopes: ["PROFILE_READ"] as const,
          redirectUri,
          codeChallenge: null
        }
        const allowing = yield* sessions.lock(session).pipe(
          Effect.andThen(held.open),
          Effect.andThen(decided.await),
          Effect.andThen(codes.issue(consent)),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* held.await
        const disabling = yield* Effect.forkChild((yield* deactivation)(user, "cli"))
        yield* TestClock.withLive(eventually(waiting))
        yield* decided.open
        yield* Effect.all([Fiber.join(allowing), Fiber.join(disabling)])
        assert.strictEqual(yield* left, 0)
      })
  )

  it.effect("keeps everything when it cannot be disabled", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const sessions = yield* Sessions
      const admins = (yield* accounts.list({})).accounts.filter(({ disabled, role }) => role === "admin" && !disabled)
      for (const { id } of admins) yield* Effect.option(accounts.setRole(id, "user", "cli"))
      const [last] = (yield* accounts.list({})).accounts.filter(({ role }) => role === "admin")
      const token = Redacted.value(yield* sessions.start(last!.id))
      const refused = yield* Effect.flip((yield* deactivation)(last!.id, "cli"))
      assert.strictEqual(refused.code, "last_administrator")
      assert.isTrue(Option.isSome(yield* sessions.find(token)))
    }))
})
