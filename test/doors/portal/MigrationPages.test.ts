import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { migrationPath } from "../../../src/doors/parts/Paths.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { approvedApp, layer as server } from "../../support/TestServer.ts"

layer(server())("the migration page", (it) => {
  it.effect("warns the owner of an app that has not shown that it stores new refresh tokens, until it has", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const app = yield* approvedApp()
      const { refresh_token } = yield* app.tokens()
      yield* sql`UPDATE clients SET legacy = true WHERE id = ${app.client.id}`
      const session = Redacted.value(yield* (yield* Sessions).start(app.owner))
      const cookie = `${cookieName(yield* AppConfig)}=${session}`
      const warns = Effect.map(
        app.ask(migrationPath(app.client.id), { headers: { cookie } }),
        ({ text }) => text.includes("1 installation has not used one of this server yet")
      )
      assert.isFalse(yield* warns)
      yield* sql`UPDATE grants SET imported_rotates = false WHERE client_id = ${app.client.id}`
      assert.isTrue(yield* warns)
      // Presents the successor of its first token: it has stored that one.
      const { json } = yield* app.refresh(refresh_token)
      assert.strictEqual((yield* app.refresh(json["refresh_token"])).status, 200)
      assert.isFalse(yield* warns)
    }))
})
