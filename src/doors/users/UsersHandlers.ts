import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { Administration } from "../../core/accounts/local/Administration.ts"
import { UserId } from "../../domain/Ids.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { orEmpty } from "../../foundation/http/PageNumber.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"
import { orUsersElsewhere } from "./UsersElsewhere.ts"

/** Users by API (`UsersApi`). */
export const UsersHandlers = HttpApiBuilder.group(
  Api,
  "users",
  Effect.fn(function*(handlers) {
    const accounts = orUsersElsewhere(yield* Effect.serviceOption(Accounts))
    const administration = orUsersElsewhere(yield* Effect.serviceOption(Administration))

    return handlers.handleAll({
      list: Effect.fn(function*({ query }) {
        const { accounts: users, ...page } = yield* (yield* accounts).list(query)
        return succeed(orEmpty(query.page, { users, ...page }, { users: [] }))
      }),
      get: Effect.fn(function*({ params }) {
        return succeed(yield* (yield* accounts).get(UserId.make(params.id)))
      }),
      change: Effect.fn(function*({ params, payload }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        return succeed(yield* (yield* administration).change(UserId.make(params.id), payload, account.id))
      })
    })
  })
)
