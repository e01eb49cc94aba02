import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { Forbidden } from "../../domain/ApiError.ts"
import { makeCreated } from "../../foundation/http/Created.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { byCaller } from "../session/ByCaller.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** API keys of the caller, in the management API. */
export const ApiKeysHandlers = HttpApiBuilder.group(
  Api,
  "apiKeys",
  Effect.fn(function*(handlers) {
    const apiKeys = yield* ApiKeys
    const created = yield* makeCreated

    return handlers.handleAll({
      list: byCaller((owner) => apiKeys.list(owner)),
      create: Effect.fn(function*({ payload }) {
        const { account, via } = yield* CurrentUser
        if (via === "api-key") return yield* madeByKey
        yield* requireRecentSignIn
        const { info, key } = yield* apiKeys.create(account.id, payload.name, account.id, payload.expiresAt)
        yield* created(["v2", "api-keys", info.id])
        return succeed({ ...info, key: Redacted.value(key) })
      }),
      revoke: byCaller((owner, { params }) => Effect.as(apiKeys.revoke(owner, params.id, owner), null))
    })
  })
)

// A key that has leaked must not make another that outlives it.
const madeByKey = Effect.fail(
  new Forbidden({
    code: "session_required",
    message: "An API key cannot make API keys. Sign in and make one on the account page."
  })
)
