import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import * as Testing from "../../../../src/testing.ts"
import { Users } from "../../../app/examples/OwnUsers.ts"
import * as PreviousServer from "../../../support/PreviousServer.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { assertRefused, serverClient } from "../../../support/TestServer.ts"
import { newClient } from "../../clients/Scenario.ts"
import { Previous } from "./Scenario.ts"

const Server = Layer.unwrap(
  Effect.map(PreviousServer.make, (previous) =>
    Testing.layerWith(Users, previous.settings).pipe(
      Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer)),
      Layer.merge(Layer.succeed(Previous, previous))
    ))
)

layer(Server)("A server on a platform's own users", (it) => {
  it.effect("takes over tokens whose sub is the id of one of them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const previous = yield* Previous
      const review = yield* ClientReview
      const { token } = yield* serverClient
      const { client } = yield* newClient(UserId.make("paul"), { kind: "public" })
      yield* review.approve(UserId.make("petra"), client.id, client.version)
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${client.id}`
      const refresh = (sub: string) => {
        const text = `previous-${crypto.randomUUID()}`
        previous.answers.set(text, { active: true, client_id: client.id, token_use: "refresh_token", sub })
        return token({ grant_type: "refresh_token", client_id: client.id, refresh_token: text })
      }
      assert.strictEqual((yield* refresh("paul")).status, 200)
      assertRefused(yield* refresh("nobody"), 400, "invalid_grant")
      const grants = yield* sql<{ userId: string }>`SELECT user_id FROM grants WHERE client_id = ${client.id}`
      assert.deepStrictEqual(grants.map(({ userId }) => userId), ["paul"])
    }))
})
