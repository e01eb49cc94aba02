import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { minLength } from "../../core/accounts/Passwords.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { SetupLinks } from "../../core/accounts/SetupLinks.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import * as Input from "../../domain/Input.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { isFromOurPages } from "../../foundation/http/SameOrigin.ts"
import { alert, field } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { answering } from "./PageSession.ts"
import { setCookie } from "./SessionCookie.ts"

/** Where the one-time link leads: the first administrator is made at `/setup`. */
export const SetupPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const config = yield* AppConfig
  const localLinks = yield* Effect.serviceOption(SetupLinks)
  // A platform that has users of its own has administrators, too.
  if (Option.isNone(localLinks)) return
  const links = localLinks.value
  const sessions = yield* Sessions

  yield* router.add(
    "GET",
    "/setup",
    Effect.gen(function*() {
      const token = (yield* readQuery).get("token") ?? ""
      return (yield* links.isUsable(token)) ? setupPage({ token }) : unusable
    })
  )

  yield* router.add(
    "POST",
    "/setup",
    answering(Effect.gen(function*() {
      if (!isFromOurPages(config, yield* HttpServerRequest.HttpServerRequest)) return fromElsewhere
      const fields = yield* readForm
      const token = fields.get("token") ?? ""
      if (!(yield* links.isUsable(token))) return unusable
      const entered = { token, email: fields.get("email") ?? "", name: fields.get("name") ?? "" }
      const password = fields.get("password") ?? ""
      const make = password === fields.get("repeated")
        ? links.use(token, { ...entered, password: Redacted.make(password, { label: "password" }) })
        : Effect.fail(Input.refuse([{ path: "repeated", message: "differs" }]))
      return yield* make.pipe(
        Effect.flatMap(({ id }) => sessions.start(id)),
        Effect.map((session) => setCookie(config, session)(seeOther("/account"))),
        Effect.catchTags({
          SetupLinkUnusable: () => Effect.succeed(unusable),
          BadRequest: (problem) => Effect.succeed(setupPage({ ...entered, problem })),
          Conflict: (problem) => Effect.succeed(setupPage({ ...entered, problem }))
        })
      )
    }))
  )
}))

interface Entered {
  readonly token: string
  readonly email?: string
  readonly name?: string
  readonly problem?: BadRequest | Conflict
}

const setupPage = (entered: Entered) =>
  page({ title: "Set up Slotkey", status: entered.problem === undefined ? 200 : 400, body: setupForm(entered) })

const setupForm = ({ email, name, problem, token }: Entered): Html =>
  html`<section class="narrow">
<h1>Set up Slotkey</h1>
<p>This server has no administrator yet. The account that you create here reviews apps and appoints others. The link that
brought you here works once.</p>
${alert(problem?.message)}
<form method="post" action="/setup">
<input type="hidden" name="token" value="${token}">
${field({ name: "name", label: "Your name", value: name, autocomplete: "name" }, problem?.details)}
${
    field(
      { name: "email", label: "E-mail address", type: "email", value: email, autocomplete: "username" },
      problem?.details
    )
  }
${
    field(
      {
        name: "password",
        label: "Password",
        type: "password",
        autocomplete: "new-password",
        hint: `At least ${minLength} characters; a few words in a row are fine.`
      },
      problem?.details
    )
  }
${
    field(
      { name: "repeated", label: "The same password again", type: "password", autocomplete: "new-password" },
      problem?.details
    )
  }
<button>Create the administrator</button>
</form>
</section>`

const unusable = failurePage({
  status: 410,
  title: "This link does not work any more",
  what: "A set-up link works once, for a day, and only while the server has no administrator.",
  remedy:
    "If there is an administrator, sign in. Otherwise get a new link: restart the server, or run npm run slotkey -- setup-link beside it.",
  next: { href: "/sign-in", label: "Sign in" }
})

const fromElsewhere = failurePage({
  status: 403,
  title: "Not accepted",
  what: "Another site sent this form, so nothing was changed.",
  remedy: "Open the set-up link itself and fill in the form there."
})
