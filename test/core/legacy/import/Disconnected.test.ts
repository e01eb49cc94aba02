import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Connections } from "../../../../src/core/consent/Connections.ts"
import { ClientId, type UserId } from "../../../../src/domain/Ids.ts"
import { disconnectAll } from "../../../../src/doors/account/DisconnectAll.ts"
import { assertRefused, layer as server } from "../../../support/TestServer.ts"
import { legacyApp } from "../Scenario.ts"
import { apply, findings, jsonLines, token, unique } from "./Scenario.ts"

layer(server(), { timeout: 60_000 })("A user who has disconnected an app here", (it) => {
  it.effect.each(
    [
      [
        "that app",
        (user: UserId, app: string) =>
          Effect.flatMap(Connections, (connections) => connections.disconnect(user, ClientId.make(app)))
      ],
      ["all apps", (user: UserId) => Effect.flatMap(disconnectAll, (disconnect) => disconnect(user))]
    ] as const
  )("gets none of its old tokens back by a later file: %s", ([, disconnect]) =>
    Effect.gen(function*() {
      const app = yield* legacyApp
      const [gone, there] = [yield* app.user, yield* app.user]
      const texts = Array.from({ length: 4 }, () => `v1.${unique()}-of-old-server`)
      const [first = "", second = "", third = "", fourth = ""] = texts
      const file = (...tokens: ReadonlyArray<object>) => jsonLines({ client_id: app.id, refresh_tokens: tokens })
      yield* apply(file(token(first, gone.id), token(second, there.id)))
      yield* disconnect(gone.id, app.id)

      const later = file(token(third, gone.id), token(fourth, there.id))
      assert.include(
        (yield* findings(later)).join(),
        "a refresh token is left out: its user has disconnected the app here"
      )
      assert.strictEqual((yield* apply(later)).refreshTokens, 1)
      assertRefused(yield* app.refresh(third), 400, "invalid_grant")
      assert.strictEqual((yield* app.refresh(fourth)).status, 200)
    }))
})
