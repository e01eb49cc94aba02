import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"

/** The API keys of the caller, in the management API. */
export const ApiKeysHandlers = HttpApiBuilder.group(
  Api,
  "apiKeys",
  Effect.fn(function*(handlers) {
    const apiKeys = yield* ApiKeys

    return handlers.handleAll({
      list: Effect.fn(function*() {
        const { account } = yield* CurrentUser
        return succeed(yield* apiKeys.list(account.id))
      }),
      create: Effect.fn(function*({ payload }) {
        const { account } = yield* CurrentUser
        const { info, key } = yield* apiKeys.create(account.id, payload.name, account.id)
        return succeed({ ...info, key: Redacted.value(key) })
      }),
      revoke: Effect.fn(function*({ params }) {
        const { account } = yield* CurrentUser
        yield* apiKeys.revoke(account.id, params.id)
        return succeed(null)
      })
    })
  })
)
