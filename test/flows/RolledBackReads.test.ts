import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as ImportedToken from "../../src/core/tokens/ImportedToken.ts"
import { ImportedTokens } from "../../src/core/tokens/ImportedTokens.ts"
import * as Credential from "../../src/domain/Credential.ts"
import type { GrantId } from "../../src/domain/Ids.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestServer from "../support/TestServer.ts"

/** Makes the database roll the next statement on a table back, as it does after a serialization failure. */
const rollBackNext = (table: string) =>
  TestDatabase.as(
    "owner",
    Effect.fnUntraced(function*(sql) {
      yield* sql`CREATE SEQUENCE ${sql(`${table}_reads`)}`
      // Numbers of a sequence are not taken back, so the second attempt gets through.
      yield* sql`CREATE FUNCTION ${sql(`${table}_read`)}() RETURNS boolean LANGUAGE plpgsql AS ${
        sql.literal(`'BEGIN IF nextval(''${table}_reads'') = 1 THEN
      RAISE SQLSTATE ''40001''; END IF; RETURN true; END'`)
      }`
      yield* sql`ALTER TABLE ${sql(table)} RENAME TO ${sql(`${table}_kept`)}`
      yield* sql`CREATE VIEW ${sql(table)} AS SELECT k.* FROM ${sql(`${table}_kept`)} k, ${
        sql(`${table}_read`)
      }() r WHERE r`
    })
  )

/** Number of statements on the table since. */
const attempts = (table: string) =>
  TestDatabase.as("owner", (sql) =>
    Effect.map(
      sql<{ attempts: number }>`SELECT last_value::int AS attempts FROM ${sql(`${table}_reads`)}`,
      ([row]) => row?.attempts
    ))

layer(TestServer.layer())("A read that the database rolls back", (it) => {
  it.effect("is repeated, so that the request is answered", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { client, credentials, me, post, tokens } = yield* TestServer.approvedApp()
      const { access_token: access, refresh_token: refresh } = yield* tokens()
      const introspect = (token: unknown) =>
        post("/v2/auth/oauth2/introspect", { ...credentials, token: String(token) })
      const imported = yield* ImportedTokens
      const [grant] = yield* sql<{ id: GrantId }>`SELECT id FROM grants`
      const digest = ImportedToken.digest(Credential.digest("imported"))
      yield* imported.add([{ digest, clientId: client.id, grantId: grant?.id ?? assert.fail("no grant") }])

      yield* rollBackNext("client_secrets")
      assert.strictEqual((yield* introspect(access)).json["active"], true)
      assert.strictEqual(yield* attempts("client_secrets"), 2)

      yield* rollBackNext("accounts")
      assert.strictEqual((yield* me(access)).status, 200)
      assert.strictEqual(yield* attempts("accounts"), 2)

      yield* rollBackNext("grants")
      assert.strictEqual((yield* me(access)).status, 200)
      assert.strictEqual(yield* attempts("grants"), 2)

      yield* TestDatabase.as("owner", (sql) => sql`SELECT setval('grants_reads', 1, false)`)
      assert.strictEqual((yield* introspect(refresh)).json["active"], true)
      assert.strictEqual(yield* attempts("grants"), 2)

      yield* rollBackNext("imported_refresh_tokens")
      assert.isTrue(
        Option.isSome(yield* imported.find({ ...client, isLegacyClient: true, migrated: true }, "imported"))
      )
      assert.strictEqual(yield* attempts("imported_refresh_tokens"), 2)
    }))
})
