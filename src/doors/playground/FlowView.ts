import type { Client } from "../../core/clients/records/Client.ts"
import { accessTokenLifetime } from "../../core/keys/AccessTokenLifetime.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import { curlForm } from "../../foundation/web/CurlCommand.ts"
import { durationText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, english, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { RecordedCall } from "./Loopback.ts"
import { decodeClaims, fieldsOf, type FlowValues, paths, type Step } from "./Step.ts"

interface FlowView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly client: Client
  readonly addresses: { readonly authUrl: string; readonly baseUrl: string }
  readonly values: FlowValues
  /** Step that was just done. */
  readonly last: { readonly step: Step; readonly call: RecordedCall } | undefined
}

/** Page after the user's decision: the step that was just done, and the steps that are possible now. */
export const flowBody = (view: FlowView): Html =>
  html`<p><a href="/playground">${text("playground")}</a></p>
<div class="heading"><h1>${view.client.name}</h1><p><a href="/playground?app=${view.client.id}">${
    text("playground.startAgain")
  }</a></p></div>
<ol class="steps">
<li class="done"><h2>${text("playground.send")}</h2></li>
<li class="done"><h2>${text("playground.decide")}</h2>
${
    view.last === undefined
      ? html`<p>${text("playground.allowed", { state: "state", issuer: "iss", code })} ${
        view.client.kind === "public"
          ? text("playground.codeAlone.public", { verifier: "code_verifier", code })
          : text("playground.codeAlone", { verifier: "code_verifier", code })
      }</p>
${codeBlock(text("playground.code"), view.values.code ?? "")}`
      : nothing
  }</li>
${exchangeStep(view)}
${view.values.accessToken === undefined ? rest : tokenSteps(view)}
</ol>`

/** Page after a denial or a refused request. */
export const refusedBody = (client: Client, error: string, description: string): Html =>
  html`<p><a href="/playground">${text("playground")}</a></p>
<h1>${client.name}</h1>
${
    notice(
      "note",
      html`<p>${text("playground.refused", { error, code })}</p>
${description === "" ? nothing : html`<blockquote>${english(description)}</blockquote>`}`
    )
  }
<p>${text("playground.refused.next")}</p>
<p><a href="/playground?app=${client.id}" class="button">${text("playground.startAgain")}</a></p>`

const exchangeStep = (view: FlowView): Html => {
  const { client, last, values } = view
  const isDone = values.accessToken !== undefined
  return html`<li class="${isDone ? "done" : ""}"${isDone ? nothing : html` aria-current="step"`}><h2>${
    text("playground.exchange")
  }</h2>
${recorded(view, "exchange")}
${
    last?.step === "exchange" && isDone
      ? html`<p>${text("playground.claims.about")}</p>
${codeBlock(text("playground.claims"), decodeClaims(values.accessToken ?? "") ?? "")}`
      : nothing
  }
${
    isDone
      ? nothing
      : html`<p>${text(client.kind === "public" ? "playground.exchange.fromApp" : "playground.exchange.fromServer")}</p>
${
        codeBlock(
          text("playground.exchange.request"),
          curlForm(
            `${view.addresses.baseUrl}${paths.exchange}`,
            fieldsOf(view.addresses, client, "exchange", {
              ...values,
              secret: client.kind === "public" ? undefined : "CLIENT_SECRET"
            })
          )
        )
      }
${form(view, "exchange", html`<button>${text("playground.exchange.button")}</button>`)}`
  }</li>`
}

const tokenSteps = (view: FlowView): Html =>
  html`${tokenStep(view, "me", text("playground.call.about", { scope: view.catalogue.profileScope, code }))}${
    tokenStep(view, "refresh", text("playground.refresh.about", { lifetime: durationText(accessTokenLifetime) }))
  }${tokenStep(view, "revoke", text("playground.revoke.about"))}`

const tokenStep = (view: FlowView, step: keyof typeof tokenStepTexts, about: Html): Html => {
  const [title, label] = tokenStepTexts[step]
  const isDone = view.last?.step === step
  return html`<li${isDone ? html` aria-current="step"` : nothing}><h2>${title}</h2>
<p>${about}</p>
${recorded(view, step)}
${form(view, step, html`<button${isDone ? html` class="secondary"` : nothing}>${label}</button>`)}</li>
`
}

const tokenStepTexts = {
  me: [text("playground.call"), text("playground.call.button", { call: "GET /v2/me" })],
  refresh: [text("playground.refresh"), text("playground.refresh.button")],
  revoke: [text("playground.revoke"), text("playground.revoke.button")]
} as const

const rest = html`<li><h2>${text("playground.call")}</h2></li>
<li><h2>${text("playground.refresh")}</h2></li>
<li><h2>${text("playground.revoke")}</h2></li>`

const recorded = ({ last }: FlowView, step: Step): Html =>
  last?.step === step
    ? html`<p id="outcome">${text("playground.sent")}</p>
${codeBlock(text("playground.request"), last.call.request)}
<p role="status">${text("playground.answered", { status: outcome(last.call.status) })}</p>
${codeBlock(text("playground.answer"), last.call.body)}${
      last.call.isCut === true ? html`<p class="muted">${text("playground.cut")}</p>` : nothing
    }`
    : nothing

const outcome = (status: number): Html => html`<strong class="${status < 400 ? "fine" : "error"}">${status}</strong>`

const form = ({ client, visitor }: FlowView, step: Step, button: Html): Html =>
  html`<form method="post" action="/playground/run">
${csrfField(visitor.viewer)}
<input type="hidden" name="step" value="${step}"><input type="hidden" name="app" value="${client.id}">
${
    client.kind === "public" || step === "me"
      ? nothing
      : html`<label for="secret-${step}">${text("playground.secret")}</label>
<input id="secret-${step}" name="secret" type="password" required autocomplete="off" aria-describedby="secret-${step}-note">
<small id="secret-${step}-note" class="muted">${text("playground.secret.hint")}</small>`
  }${button}
</form>`
