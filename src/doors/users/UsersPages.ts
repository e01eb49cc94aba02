import { Effect, Option, Schema } from "effect"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { type AccountChange, Administration, isChange } from "../../core/accounts/local/Administration.ts"
import { ManagedAccounts } from "../../core/accounts/local/ManagedAccounts.ts"
import { Role } from "../../core/accounts/people/Account.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { Grants } from "../../core/grants/Grants.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { type Message, type PlainValues, text } from "../../foundation/web/Message.ts"
import { pageIn } from "../../foundation/web/Pager.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { notFoundPage, pageController, pathId } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { userPath, usersBody } from "./UsersView.ts"
import { disableBody, roleBody, userActions, userBody, type UserView } from "./UserView.ts"

// This room is where administrators see who may use the server, and change it: in a browser and by the API.

/** Users for administrators, where this server keeps their accounts: `/users`. */
export const UsersPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const accounts = yield* Accounts
  const administration = yield* Administration
  const managed = yield* ManagedAccounts
  const audit = yield* AuditLog
  const grants = yield* Grants
  const config = yield* AppConfig
  const mayInvite = config.signIn.has("local")
  const claims: UserView["claims"] = {
    roles: [
      ...Option.isSome(config.administratorClaim) ? ["admin" as const] : [],
      ...Option.isSome(config.reviewerClaim) ? ["reviewer" as const] : []
    ],
    lifetime: config.claimedRoleLifetime
  }

  const user = (visitor: Visitor) => Effect.mapError(Effect.flatMap(pathId, managed.get), () => gone(visitor))

  const show = Effect.fnUntraced(function*(visitor: Visitor, problem?: UserView["problem"]) {
    const shown = yield* user(visitor)
    const entries = yield* audit.list({ userId: shown.id, actions: [...userActions.keys()], limit: 50 })
    const names = yield* peopleNames(entries.map(({ actor }) => actor), accounts.find)
    return page({
      title: shown.name,
      viewer: visitor.viewer,
      problem,
      body: userBody({
        visitor,
        user: shown,
        claims,
        trail: entries.map((entry) => ({ ...entry, by: names.get(entry.actor) ?? entry.actor })),
        ...problem !== undefined && { problem }
      })
    })
  })

  /** Answers a form that changes a user. */
  const change = (of: (fields: Parameters) => Option.Option<Act>) =>
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.recentAdminForm
      const { id } = yield* user(visitor)
      const act = of(fields)
      if (Option.isNone(act)) return seeOther(userPath(id))
      return yield* administration.change(id, act.value.change, visitor.account.id).pipe(
        // An administrator who has given up the role cannot see the users any more.
        Effect.andThen(
          pages.redirect(visitor, isOver(act.value, id, visitor) ? "/account" : userPath(id), act.value.notice)
        ),
        Effect.catchTags({
          Conflict: (problem) => show(visitor, problem),
          NotFound: () => Effect.succeed(gone(visitor))
        })
      )
    })

  yield* get(
    "/users",
    Effect.gen(function*() {
      const { account, viewer } = yield* pages.requireAdmin
      const query = yield* readQuery
      const role = Option.getOrUndefined(decodeRole(query.get("role")))
      const search = (query.get("search") ?? "").slice(0, 200)
      const found = yield* managed.list({ search, role, page: pageIn(query) })
      return page({
        title: text("users"),
        viewer,
        body: usersBody({ ...found, search, role, mayInvite, reader: account })
      })
    })
  )
  yield* get("/users/:id", Effect.flatMap(pages.requireAdmin, (visitor) => show(visitor)))
  yield* get(
    "/users/:id/role",
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const shown = yield* user(visitor)
      const role = Option.getOrUndefined(decodeRole((yield* readQuery).get("role")))
      if (role === undefined || !isChange(shown, role)) return seeOther(userPath(shown.id))
      return page({ title: text("user.role.change"), viewer: visitor.viewer, body: roleBody(shown, role, visitor) })
    })
  )
  yield* get(
    "/users/:id/disable",
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const shown = yield* user(visitor)
      const { length } = yield* grants.listLive(shown.id)
      return page({ title: text("user.disable"), viewer: visitor.viewer, body: disableBody(shown, length, visitor) })
    })
  )

  yield* post(
    "/users/:id/role",
    change((fields) =>
      Option.map(decodeRole(fields.get("role")), (role) => ({
        change: { role },
        notice: text("user.role.changed", { role })
      }))
    )
  )
  yield* post(
    "/users/:id/disable",
    change(() => Option.some({ change: { disabled: true }, notice: text("user.disabled") }))
  )
  yield* post(
    "/users/:id/enable",
    change(() => Option.some({ change: { disabled: false }, notice: text("user.enabled") }))
  )
}))

interface Act {
  readonly change: AccountChange
  readonly notice: Message<PlainValues>
}

const isOver = ({ change: { role } }: Act, id: string, { account }: Visitor) =>
  id === account.id && role !== undefined && role !== "admin"

const decodeRole = Schema.decodeUnknownOption(Role)

const gone = notFoundPage({
  what: text("user.gone.what"),
  remedy: text("user.gone.remedy"),
  next: { href: "/users", label: text("users") }
})
