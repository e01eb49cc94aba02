import { Effect, Option, Schema } from "effect"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { Profile, Username } from "../../core/accounts/people/Account.ts"
import type { UserId } from "../../domain/Ids.ts"
import * as Input from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { pageField } from "../../foundation/web/FormFields.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageController } from "../session/PageRoutes.ts"
import { ownPath, withoutLanguage } from "../session/ReturnTo.ts"
import { ofBrowser } from "./AccountView.ts"
import { onlyLocal } from "./OnlyLocal.ts"
import { showAccount } from "./ShowAccount.ts"

/**
 * Profile of an account that is kept here: `/account/profile` and, for linked ones too, `/account/language` and
 * `/account/time-zone`.
 */
export const ProfilePages = pageController(Effect.fnUntraced(function*({ post, pages }) {
  const accounts = yield* Accounts
  const show = yield* showAccount
  const checkLocal = yield* onlyLocal

  /** Fault of a user name that fits and is another's, shown beside other mistakes of the form. */
  const nameFaults = Effect.fnUntraced(function*(fields: Parameters, by: UserId) {
    const username = decodeUsername(fields.get("username"))
    const isTaken = Option.isSome(username) && (yield* accounts.isUsernameTaken(username.value, by))
    return isTaken ? [{ path: "username", message: "is taken" }] : []
  })

  const editProfile = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    yield* checkLocal(visitor)
    return yield* decodeProfile(entered(fields)).pipe(
      Effect.catch((problem) =>
        Effect.flatMap(
          nameFaults(fields, visitor.account.id),
          (taken) => Input.invalid([...problem.details ?? [], ...taken])
        )
      ),
      Effect.flatMap((profile) => accounts.edit(visitor.account.id, profile)),
      Effect.andThen(pages.redirect(visitor, "/account", text("profile.saved"))),
      Effect.catch((problem) => show(visitor, { problem, form: "profile", entered: fields }))
    )
  })

  /** Takes the time zone that a page offered, and leads back to the page. Few providers say it of their users. */
  const chooseTimeZone = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const { account } = visitor
    return yield* decodeProfile({ ...account, timeZone: fields.get("time_zone") ?? "" }).pipe(
      Effect.flatMap((profile) => accounts.edit(account.id, profile)),
      Effect.as(seeOther(ownPath(fields.get("return_to")))),
      Effect.catch((problem) => show(visitor, { problem, form: "profile" }))
    )
  })

  /** Takes the language that a footer offered, and leads back to the page, which says no other then. */
  const chooseLanguage = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const { account } = visitor
    return yield* decodeProfile({ ...account, locale: fields.get("locale") ?? "" }).pipe(
      Effect.flatMap((profile) => accounts.edit(account.id, profile)),
      Effect.as(seeOther(withoutLanguage(ownPath(fields.get(pageField))))),
      Effect.catch((problem) => show(visitor, { problem, form: "profile" }))
    )
  })

  yield* post("/account/profile", editProfile)
  yield* post("/account/language", chooseLanguage)
  yield* post("/account/time-zone", chooseTimeZone)
}))

const decodeUsername = Schema.decodeUnknownOption(Username)
const decodeProfile = Input.decode(Profile)

const entered = (fields: Parameters) => ({
  name: fields.get("name") ?? "",
  username: fields.get("username") ?? "",
  bio: fields.get("bio") ?? null,
  timeFormat: Number(fields.get("timeFormat")),
  weekStart: fields.get("weekStart") ?? "",
  timeZone: fields.get("timeZone") ?? "",
  ...localeIn(fields)
})

const localeIn = (fields: Parameters) => {
  const chosen = fields.get("locale")
  return chosen === undefined ? {} : { locale: chosen === ofBrowser ? "" : chosen }
}
