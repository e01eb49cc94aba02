import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Administration } from "../../core/accounts/local/Administration.ts"
import { ManagedAccounts } from "../../core/accounts/local/ManagedAccounts.ts"
import { UserId } from "../../domain/Ids.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { orEmpty } from "../../foundation/http/PageNumber.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Users by API (`UsersApi`), where this server keeps their accounts. */
export const UsersHandlers = HttpApiBuilder.group(
  Api,
  "users",
  Effect.fn(function*(handlers) {
    const accounts = yield* ManagedAccounts
    const administration = yield* Administration

    return handlers.handleAll({
      list: Effect.fn(function*({ query }) {
        const { accounts: users, ...page } = yield* accounts.list(query)
        return succeed(orEmpty(query.page, { users, ...page }, { users: [] }))
      }),
      get: Effect.fn(function*({ params }) {
        return succeed(yield* accounts.get(UserId.make(params.id)))
      }),
      change: Effect.fn(function*({ params, payload }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        return succeed(yield* administration.change(UserId.make(params.id), payload, account.id))
      })
    })
  })
)
