import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { LinkedAccounts } from "../../../../../src/core/accounts/linked/LinkedAccounts.ts"
import { LegacyImport } from "../../../../../src/core/legacy/import/LegacyImport.ts"
import { exports } from "../../../../flows/exports/Exports.ts"
import { layer as server } from "../../../../support/TestServer.ts"
import { listenTo } from "../Scenario.ts"

const issuer = "https://login.platform.example"
const env = { SIGN_IN: "oidc", OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "slotkey" }

layer(server(env), { timeout: 60_000 })("The ids of users in the export of a platform with its own users", (it) => {
  it.effect("are subjects of the issuer that the operator names", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const linked = yield* LinkedAccounts
      const signIn = (subject: string) => Effect.orDie(linked.signIn({ issuer, subject, profile: {}, roles: {} }))
      const [owner, user] = [yield* signIn("3"), yield* signIn("8")]
      const rows = JSON.parse(exports.django.text).filter(({ model }: { model: string }) => model !== "auth.user")
      const apply = (from: object) =>
        Effect.flatMap(LegacyImport, (imports) =>
          listenTo(
            imports.apply(Stream.make(JSON.stringify(rows)), "cli", { from: { server: "django", ...from } })
          ))
      const refused = yield* Effect.flip(apply({ issuer: "https://elsewhere.example" }))
      assert.include(JSON.stringify(refused.details), "must be one that SIGN_IN trusts")
      yield* apply({ issuer })
      const { id } = exports.django.app
      const found = yield* sql`SELECT owner_id, user_id FROM clients JOIN grants ON client_id = clients.id
        WHERE clients.id = ${id}`
      assert.deepStrictEqual(found, [{ ownerId: owner.id, userId: user.id }])
    }))
})
