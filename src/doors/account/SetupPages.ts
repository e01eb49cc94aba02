import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { decodeNewAccount } from "../../core/accounts/local/NewAccount.ts"
import { SetupLinks } from "../../core/accounts/local/SetupLinks.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { fromOurPages } from "../../foundation/http/SameOrigin.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { findSetupLink } from "../session/EmptyServer.ts"
import { pageController } from "../session/PageRoutes.ts"
import { setCookie } from "../session/SessionCookie.ts"
import { passwordIn, repetitionFaults } from "./PasswordFields.ts"
import { doneBeforePage, fromElsewherePage, setupPage, unusablePage, whatNextPath } from "./SetupView.ts"

/** Page behind the one-time set-up link, which makes the first administrator: `/setup`. */
export const SetupPages = pageController(Effect.fnUntraced(function*({ get, post }) {
  const config = yield* AppConfig
  const isFromOurPages = yield* fromOurPages
  const links = yield* SetupLinks
  const sessions = yield* Sessions

  const where = yield* findSetupLink
  const unusable = Effect.map(links.isNeeded, (isNeeded) => isNeeded ? unusablePage(where) : doneBeforePage)

  const show = Effect.gen(function*() {
    const token = (yield* readQuery).get("token") ?? ""
    return (yield* links.isUsable(token)) ? setupPage({ token }) : yield* unusable
  })

  const createAdministrator = Effect.gen(function*() {
    if (!isFromOurPages(yield* HttpServerRequest.HttpServerRequest)) return fromElsewherePage
    const fields = yield* readForm
    const token = fields.get("token") ?? ""
    if (!(yield* links.isUsable(token))) return yield* unusable
    const entered = { token, email: fields.get("email") ?? "", name: fields.get("name") ?? "" }
    const administrator = { ...entered, password: passwordIn(fields, "password") }
    return yield* decodeNewAccount(administrator, repetitionFaults(fields)).pipe(
      Effect.andThen(links.use(token, administrator)),
      Effect.flatMap(({ id }) => sessions.start(id)),
      Effect.map((session) => setCookie(config, session)(seeOther(whatNextPath))),
      Effect.catchTag("SetupLinkUnusable", () => unusable),
      Effect.catchTag(["BadRequest", "Conflict"], (problem) => Effect.succeed(setupPage({ ...entered, problem })))
    )
  })

  yield* get("/setup", show)
  yield* post("/setup", createAdministrator)
}))
