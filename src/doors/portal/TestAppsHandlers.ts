import { Effect, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { TestAppDecision } from "../../core/clients/testapps/TestAppDecision.ts"
import { TestApps } from "../../core/clients/testapps/TestApps.ts"
import { TestGuests } from "../../core/clients/testapps/TestGuests.ts"
import { makeCreated } from "../../foundation/http/Created.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { byCaller } from "../session/ByCaller.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Test apps by API (`TestAppsApi`). */
export const TestAppsHandlers = HttpApiBuilder.group(
  Api,
  "testApps",
  Effect.fn(function*(handlers) {
    const created = yield* makeCreated
    const decision = yield* TestAppDecision
    const guests = yield* TestGuests
    const tests = yield* TestApps

    return handlers.handleAll({
      get: byCaller(Effect.fnUntraced(function*(owner, { params }) {
        const test = yield* tests.get(owner, params.id)
        return { ...test, guests: yield* guests.list(test.id) }
      })),
      make: Effect.fn(function*({ params }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        const { client, secret } = yield* tests.make(account.id, params.id)
        yield* created(["v2", "oauth-clients", client.id])
        return succeed({ ...client, secret: Option.getOrNull(Option.map(secret, Redacted.value)) })
      }),
      reset: byCaller((owner, { params }) => tests.reset(owner, params.id)),
      end: byCaller((owner, { params }) => Effect.as(tests.end(owner, params.id), null)),
      invite: byCaller(Effect.fnUntraced(function*(owner, { params, payload }) {
        const test = yield* tests.get(owner, params.id)
        yield* guests.invite(owner, test, payload.guest)
        return yield* guests.list(test.id)
      })),
      dismiss: byCaller(Effect.fnUntraced(function*(owner, { params }) {
        const test = yield* tests.get(owner, params.id)
        yield* guests.dismiss(owner, test, params.guestId)
        return null
      })),
      overview: byCaller(() =>
        Effect.map(
          decision.overview,
          ({ stopped, ...overview }) => ({ ...overview, stopped: Option.getOrNull(stopped) })
        )
      ),
      endAny: byCaller((admin, { params }) => Effect.as(decision.end(admin, params.id), null)),
      stop: byCaller((admin) => Effect.map(decision.stop(admin), (ended) => ({ ended }))),
      allow: byCaller((admin) => Effect.as(decision.allow(admin), null))
    })
  })
)
