import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Departures } from "../../core/accounts/linked/Departures.ts"
import { type LinkedAccount, LinkedAccounts } from "../../core/accounts/linked/LinkedAccounts.ts"
import type { Role } from "../../core/accounts/people/Account.ts"
import { accountNotFound } from "../../core/accounts/people/AccountProblems.ts"
import type { ExternalIdentity, Subject } from "../../core/accounts/people/ExternalIdentity.ts"
import { makeCreated } from "../../foundation/http/Created.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Users of a platform by API (`IdentitiesApi`), where this server keeps their accounts. */
export const IdentitiesHandlers = HttpApiBuilder.group(
  Api,
  "identities",
  Effect.fn(function*(handlers) {
    const linked = yield* LinkedAccounts
    const departures = yield* Departures
    const created = yield* makeCreated

    return handlers.handleAll({
      get: Effect.fn(function*({ query }) {
        const found = yield* linked.find(query)
        return succeed(shown(query, Option.isSome(found) ? found.value : yield* accountNotFound))
      }),
      put: Effect.fn(function*({ payload: { role, ...profile }, query }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        const put = yield* linked.put({ ...query, profile, roles: rolesOf(role) }, account.id)
        if (put.isNew) yield* created(["v2", "admin", "identities"], query)
        return succeed(shown(query, put))
      }),
      remove: Effect.fn(function*({ query: { erase, ...subject } }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        if (erase === undefined) return succeed(shown(subject, yield* departures.leave(subject, account.id)))
        const erased = yield* departures.erase(subject, account.id, erase === "with_used_apps")
        const deletedApps = erased.deletedApps.map(({ id, name }) => ({ id, name }))
        return succeed({ ...shown(subject, { account: erased.account, isDisabled: true }), deletedApps })
      })
    })
  })
)

const shown = (
  { issuer, subject }: Subject,
  { account, isDisabled }: Pick<LinkedAccount, "account" | "isDisabled">
) => ({
  issuer,
  subject,
  disabled: isDisabled,
  account
})

const rolesOf = (role: Role | undefined): ExternalIdentity["roles"] =>
  role === undefined ? {} : { administrator: role === "admin", reviewer: role === "reviewer" }
