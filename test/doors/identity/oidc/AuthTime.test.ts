import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { ServerResponse } from "node:http"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { atSystemTime, browser, Platform, Server } from "./Scenario.ts"

const json = (response: ServerResponse, body: object) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))

/** Signs in with an ID token that has this `auth_time`; tells whether that is a recent sign-in. */
const isRecent = Effect.fnUntraced(function*(auth_time: unknown) {
  const platform = yield* Platform
  const { authenticate, begin, jar, send } = yield* browser
  const authorization = yield* begin()
  const answer = yield* authenticate(authorization)
  const nonce = authorization.searchParams.get("nonce") ?? ""
  const id_token = yield* Effect.promise(() => platform.sign({ sub: platform.user.sub, nonce, auth_time }))
  platform.faults.set(
    "/token",
    (_, response) => json(response, { access_token: "a", token_type: "Bearer", expires_in: 60, id_token })
  )
  platform.faults.set("/me", (_, response) => json(response, platform.user))
  yield* send(answer)
  platform.faults.clear()
  const session = yield* (yield* Sessions).find(jar.get("__Host-slotkey") ?? "")
  // With one that is negative or no number the library refuses the sign-in.
  return Option.exists(session, ({ isRecent }) => isRecent)
})

layer(Server, { timeout: 60_000 })("The auth_time of a provider", (it) => {
  it.effect("says when the user signed in there, and what is no past time in seconds says nothing", () =>
    Effect.gen(function*() {
      yield* atSystemTime
      const now = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1_000)
      for (
        const [said, recent] of [
          [now, true],
          [now - 599, true],
          [now - 601, false],
          [now + 25, true],
          [now + 120, false],
          [now + 3_600, false],
          [(now - 18_000) * 1_000, false],
          [1e300, false],
          [0, false],
          [-1, false],
          [undefined, false]
        ] as const
      ) {
        assert.strictEqual(yield* isRecent(said), recent, String(said))
      }
    }))
})
