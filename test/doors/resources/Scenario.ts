import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { approvedApp } from "../../support/TestServer.ts"

/** An app with tokens of a user for a resource. */
export const connected = Effect.fnUntraced(function*(identifier: string) {
  const sql = yield* SqlClient.SqlClient
  const app = yield* approvedApp()
  const code = yield* app.code()
  yield* Effect.orDie(sql`UPDATE codes SET resource = ${identifier} WHERE client_id = ${app.client.id}`)
  const { json } = yield* app.exchange(code)
  return { ...app, tokens: { access: String(json["access_token"]), refresh: String(json["refresh_token"]) } }
})
