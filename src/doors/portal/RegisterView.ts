import type { DateTime } from "effect"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { type AppFields, appForm } from "./AppFormView.ts"

export interface NewView {
  readonly catalogue: Catalogue
  readonly viewer: Viewer
  readonly values: AppFields
  readonly areLogosShown: boolean
  readonly now: DateTime.Utc
  /** Key of this form: sent twice, it registers one app. */
  readonly draft: string
  readonly problem?: BadRequest | Conflict
}

export const newBody = ({ areLogosShown, catalogue, draft, now, problem, values, viewer }: NewView): Html =>
  html`<p><a href="/settings/apps">${text("apps")}</a></p>
<h1>${text("apps.register")}</h1>
<p>${text("register.about")}</p>
${
    appForm({
      catalogue,
      action: "/settings/apps",
      viewer,
      values,
      held: [],
      now,
      submit: text("register.submit"),
      problem,
      hidden: { draft },
      isNew: true,
      logo: { areShown: areLogosShown, digest: null }
    })
  }`
