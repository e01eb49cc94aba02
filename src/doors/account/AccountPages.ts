import { Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import * as NewPassword from "../../core/accounts/local/NewPassword.ts"
import { Profile, Username } from "../../core/accounts/people/Account.ts"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import type { UserId } from "../../domain/Ids.ts"
import * as Input from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { pageRoutes } from "../session/PageRoutes.ts"
import { PageSession, signedOut } from "../session/PageSession.ts"
import { ownPath } from "../session/ReturnTo.ts"
import { passwordChanged } from "./AccountView.ts"
import { disconnectAll } from "./DisconnectAll.ts"
import { onlyLocal } from "./OnlyLocal.ts"
import { currentPasswordCheck, passwordIn, repetitionFaults } from "./PasswordFields.ts"
import { showAccount } from "./ShowAccount.ts"

/** User's own account and, if it is local, its profile and password: `/account`. */
export const AccountPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = yield* pageRoutes(router)
  const config = yield* AppConfig
  const accounts = yield* Effect.serviceOption(Accounts)
  const apiKeys = yield* ApiKeys
  const disconnect = yield* disconnectAll
  const pages = yield* PageSession
  const sessions = yield* Sessions
  const show = yield* showAccount
  const checkCurrent = yield* currentPasswordCheck
  const checkLocal = yield* onlyLocal

  /** Fault of a user name that fits and is another's, shown beside other mistakes of the form. */
  const nameFaults = Effect.fnUntraced(function*(accounts: Accounts["Service"], fields: Parameters, by: UserId) {
    const username = decodeUsername(fields.get("username"))
    const isTaken = Option.isSome(username) && (yield* accounts.isUsernameTaken(username.value, by))
    return isTaken ? [{ path: "username", message: "is taken" }] : []
  })

  const editProfile = (accounts: Accounts["Service"]) =>
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      yield* checkLocal(visitor)
      return yield* decodeProfile(entered(fields)).pipe(
        Effect.catch((problem) =>
          Effect.flatMap(nameFaults(accounts, fields, visitor.account.id), (taken) =>
            Input.invalid([...problem.details ?? [], ...taken]))
        ),
        Effect.flatMap((profile) =>
          accounts.edit(visitor.account.id, profile)
        ),
        Effect.andThen(pages.redirect(visitor, "/account", "Your profile is saved.")),
        Effect.catch((problem) => show(visitor, { problem, form: "profile", entered: fields }))
      )
    })

  /** Takes the time zone that a page offered, and leads back to the page. Few providers say it of their users. */
  const chooseTimeZone = (accounts: Accounts["Service"]) =>
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      const { account } = visitor
      return yield* decodeProfile({ ...account, timeZone: fields.get("time_zone") ?? "" }).pipe(
        Effect.flatMap((profile) => accounts.edit(account.id, profile)),
        Effect.as(seeOther(ownPath(fields.get("return_to")))),
        Effect.catch((problem) => show(visitor, { problem, form: "profile" }))
      )
    })

  const changePassword = (accounts: Accounts["Service"]) =>
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      yield* checkLocal(visitor)
      const { account, session } = visitor
      const replacement = passwordIn(fields, "password")
      return yield* Effect.gen(function*() {
        const proof = yield* Effect.result(checkCurrent(account, fields))
        const faults = [
          ...Input.faultsOf(proof),
          ...NewPassword.faultsOf(replacement),
          ...repetitionFaults(fields)
        ]
        if (faults.length > 0) return yield* Input.invalid(faults)
        const keys = fields.get("keys") !== undefined
        const apps = fields.get("apps") !== undefined
        const signOutElsewhere = Effect.gen(function*() {
          // A change or a deactivation that came first has ended this session, and holds.
          if (!(yield* sessions.lock(session))) return yield* Effect.fail(signedOut)
          // Anyone who knew the old password may still be signed in somewhere.
          yield* sessions.endAll(account.id, account.id, session.digest)
          if (keys) yield* apiKeys.revokeAll(account.id, account.id)
          if (apps) yield* disconnect(account.id)
        })
        yield* accounts.setPassword(account.id, replacement, account.id, signOutElsewhere)
        return yield* pages.redirect(visitor, "/account", passwordChanged(keys, apps))
      }).pipe(
        Effect.catchTag(["BadRequest", "NotFound"], (problem) => show(visitor, { problem, form: "password" }))
      )
    })

  yield* get("/account", Effect.flatMap(pages.require, (visitor) => show(visitor)))
  if (Option.isSome(accounts)) {
    yield* post("/account/profile", editProfile(accounts.value))
    yield* post("/account/time-zone", chooseTimeZone(accounts.value))
    if (config.signIn.has("local")) yield* post("/account/password", changePassword(accounts.value))
  }
}))

const decodeUsername = Schema.decodeUnknownOption(Username)
const decodeProfile = Input.decode(Profile)

const entered = (fields: Parameters) => ({
  name: fields.get("name") ?? "",
  username: fields.get("username") ?? "",
  bio: fields.get("bio") ?? null,
  timeFormat: Number(fields.get("timeFormat")),
  weekStart: fields.get("weekStart") ?? "",
  timeZone: fields.get("timeZone") ?? ""
})
