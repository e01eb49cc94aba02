import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Account } from "../../core/accounts/people/Account.ts"
import { CoOwners } from "../../core/clients/owners/CoOwners.ts"
import { OwnerInvitations } from "../../core/clients/owners/OwnerInvitations.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { byCaller } from "../session/ByCaller.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Co-owners by API (`OwnersApi`). */
export const OwnersHandlers = HttpApiBuilder.group(
  Api,
  "owners",
  Effect.fn(function*(handlers) {
    const invitations = yield* OwnerInvitations
    const owners = yield* CoOwners

    const answer = Effect.fnUntraced(
      function*(say: (account: Account, id: string) => Effect.Effect<string | undefined>, id: string) {
        const { account } = yield* CurrentUser
        const name = yield* say(account, id)
        return name === undefined ? yield* noInvitation : succeed({ name })
      }
    )

    return handlers.handleAll({
      list: byCaller((caller, { params }) => owners.list(caller, params.id)),
      invite: byCaller(Effect.fnUntraced(function*(caller, { params, payload }) {
        yield* requireRecentSignIn
        yield* owners.invite(caller, params.id, payload)
        return yield* owners.list(caller, params.id)
      })),
      uninvite: byCaller((caller, { params }) =>
        Effect.as(owners.uninvite(caller, params.id, params.invitationId), null)
      ),
      setRole: byCaller(Effect.fnUntraced(function*(caller, { params, payload }) {
        yield* requireRecentSignIn
        yield* owners.setRole(caller, params.id, params.accountId, payload.role)
        return yield* owners.list(caller, params.id)
      })),
      removeOwner: byCaller((caller, { params }) =>
        Effect.as(owners.remove(caller, params.id, params.accountId), null)
      ),
      transfer: byCaller(Effect.fnUntraced(function*(caller, { params, payload }) {
        yield* requireRecentSignIn
        return yield* owners.transfer(caller, params.id, payload.accountId)
      })),
      withdrawTransfer: byCaller((caller, { params }) => owners.withdrawTransfer(caller, params.id)),
      offers: Effect.fn(function*() {
        const { account } = yield* CurrentUser
        return succeed(yield* invitations.list(account))
      }),
      accept: ({ params }) => answer(invitations.accept, params.id),
      decline: ({ params }) => answer(invitations.decline, params.id)
    })
  })
)

const noInvitation = new NotFound({
  code: "invitation_not_found",
  message: "There is no such invitation for you: it was answered, or taken back."
})
