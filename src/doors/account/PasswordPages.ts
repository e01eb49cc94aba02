import { Effect } from "effect"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import * as NewPassword from "../../core/accounts/local/NewPassword.ts"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import * as Input from "../../domain/Input.ts"
import { pageController } from "../session/PageRoutes.ts"
import { signedOut } from "../session/PageSession.ts"
import { passwordChanged } from "./AccountView.ts"
import { disconnectAll } from "./DisconnectAll.ts"
import { onlyLocal } from "./OnlyLocal.ts"
import { currentPasswordCheck, passwordIn, repetitionFaults } from "./PasswordFields.ts"
import { showAccount } from "./ShowAccount.ts"

/** Password of a local account: `/account/password`. */
export const PasswordPages = pageController(Effect.fnUntraced(function*({ post, pages }) {
  const accounts = yield* Accounts
  const apiKeys = yield* ApiKeys
  const disconnect = yield* disconnectAll
  const sessions = yield* Sessions
  const show = yield* showAccount
  const checkCurrent = yield* currentPasswordCheck
  const checkLocal = yield* onlyLocal

  const changePassword = Effect.gen(function*() {
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

  yield* post("/account/password", changePassword)
}))
