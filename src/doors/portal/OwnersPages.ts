import { Effect } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { CoOwners } from "../../core/clients/owners/CoOwners.ts"
import { OwnerInvitations } from "../../core/clients/owners/OwnerInvitations.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { type Message, type PlainValues, text } from "../../foundation/web/Message.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { ownersPath } from "../parts/Paths.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appFrame } from "./AppFrame.ts"
import { appsPath } from "./AppListView.ts"
import { appRoutes, type Problem, type Sent } from "./AppRoutes.ts"
import { ownersBody, type OwnersView } from "./OwnersView.ts"

/**
 * People who have a part in an app: `/settings/apps/:id/owners`. Whom they invite answers on the list of their apps.
 */
export const OwnersPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const { pages, post } = routes
  const identities = yield* IdentitySource
  const invitations = yield* OwnerInvitations
  const owners = yield* CoOwners
  const registry = yield* ClientRegistry

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<OwnersView> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const found = yield* owners.list(visitor.account.id, id)
    const next = client.change?.nextOwnerId
    const ids = [
      found.ownerId,
      ...(typeof next === "string" ? [next] : []),
      ...found.coOwners.map((one) => one.accountId)
    ]
    const body = ownersBody({
      visitor,
      client,
      owners: found,
      role: yield* registry.roleOf(visitor.account.id, client),
      names: yield* peopleNames(ids, (id) => identities.find(id)),
      ...more
    })
    return page({
      title: text("owners.title", { app: client.name }),
      viewer: visitor.viewer,
      problem: more.problem,
      body: appFrame({ client, visitor, active: "settings", body })
    })
  })
  const showProblem = (form: OwnersView["form"] & string) => (problem: Problem, { fields, id, visitor }: Sent) =>
    show(visitor, id, { problem, form, entered: entered(fields) })

  yield* view("/settings/apps/:id/owners", (visitor, { id }) =>
    show(
      visitor,
      id,
      restoredForm(visitor.viewer.restored, ownersPath(id), (fields) => ({
        form: "invite" as const,
        entered: entered(fields)
      }))
    ))

  yield* act("/settings/apps/:id/owners", showProblem("invite"), ({ fields, id, visitor }) =>
    Effect.gen(function*() {
      yield* owners.invite(visitor.account.id, id, entered(fields))
      return yield* pages.redirect(visitor, ownersPath(id), text("owners.invited"))
    }), pages.recentForm)

  yield* act(
    "/settings/apps/:id/owners/invitations/:personId/remove",
    showProblem("people"),
    ({ id, personId, visitor }) =>
      Effect.andThen(
        owners.uninvite(visitor.account.id, id, personId),
        pages.redirect(visitor, ownersPath(id), text("owners.uninvited"))
      )
  )

  yield* act(
    "/settings/apps/:id/owners/:personId/role",
    showProblem("people"),
    ({ fields, id, personId, visitor }) =>
      Effect.andThen(
        owners.setRole(visitor.account.id, id, personId, fields.get("role") ?? ""),
        pages.redirect(visitor, ownersPath(id), text("owners.roleSet"))
      ),
    pages.recentForm
  )

  yield* act(
    "/settings/apps/:id/owners/:personId/remove",
    showProblem("people"),
    ({ id, personId, visitor }) =>
      Effect.gen(function*() {
        const { name } = yield* registry.getOwned(visitor.account.id, id)
        yield* owners.remove(visitor.account.id, id, personId)
        return yield* personId === visitor.account.id
          ? pages.redirect(visitor, appsPath, text("owners.left", { app: name }))
          : pages.redirect(visitor, ownersPath(id), text("owners.removed"))
      })
  )

  yield* act(
    "/settings/apps/:id/owners/transfer",
    showProblem("transfer"),
    ({ fields, id, visitor }) =>
      Effect.andThen(
        owners.transfer(visitor.account.id, id, fields.get("person") ?? ""),
        pages.redirect(visitor, ownersPath(id), text("owners.transfer.asked"))
      ),
    pages.recentForm
  )

  yield* act(
    "/settings/apps/:id/owners/transfer/withdraw",
    showProblem("transfer"),
    ({ id, visitor }) =>
      Effect.andThen(
        owners.withdrawTransfer(visitor.account.id, id),
        pages.redirect(visitor, ownersPath(id), text("owners.transfer.withdrawn"))
      )
  )

  /** What an invited person answers, for whom the app exists no more than for any other. */
  const answer = (
    path: `/${string}`,
    say: typeof invitations.accept,
    done: (app: string) => Message<PlainValues>
  ) =>
    post(
      path,
      Effect.gen(function*() {
        const { visitor } = yield* pages.form
        const app = yield* say(visitor.account, yield* pathId)
        // An invitation may have been taken back meanwhile.
        return app === undefined ? seeOther(appsPath) : yield* pages.redirect(visitor, appsPath, done(app))
      })
    )

  yield* answer(
    "/settings/apps/:id/owners/accept",
    invitations.accept,
    (app) => text("ownerInvitations.accepted", { app })
  )
  yield* answer(
    "/settings/apps/:id/owners/decline",
    invitations.decline,
    (app) => text("ownerInvitations.declined", { app })
  )
}))

const entered = (fields: Parameters) => ({
  person: fields.get("person") ?? "",
  role: fields.get("role") ?? "",
  takesOver: fields.has("takesOver")
})
