import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { InitialTokens } from "../../core/clients/dynamic/InitialTokens.ts"
import { makeCreated } from "../../foundation/http/Created.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { byCaller } from "../session/ByCaller.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Initial access tokens, in the management API (`InitialTokensApi`). */
export const InitialTokensHandlers = HttpApiBuilder.group(
  Api,
  "initialTokens",
  Effect.fn(function*(handlers) {
    const tokens = yield* InitialTokens
    const created = yield* makeCreated

    return handlers.handleAll({
      list: Effect.fn(function*() {
        return succeed(yield* tokens.list)
      }),
      create: Effect.fn(function*({ payload }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        const { info, token } = yield* tokens.create(payload, account.id)
        yield* created(["v2", "admin", "initial-tokens", info.id])
        return succeed({ ...info, token: Redacted.value(token) })
      }),
      revoke: byCaller((admin, { params }) => Effect.as(tokens.revoke(params.id, admin), null))
    })
  })
)
