import type { Client } from "../../core/clients/records/Client.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import { curlForm } from "../../foundation/web/CurlCommand.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
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
  html`<p><a href="/playground">Playground</a></p>
<div class="heading"><h1>${view.client.name}</h1><p><a href="/playground?app=${view.client.id}">Start again</a></p></div>
<ol class="steps">
<li class="done"><h2>Send the user to the authorization URL</h2></li>
<li class="done"><h2>The user decides</h2>
${
    view.last === undefined
      ? html`<p>Allowed. The browser came back to the app with a code; <code>state</code> is the one that was sent, and
<code>iss</code> names this server. The code is worth nothing by itself: it is good once, for a minute, and only for whoever knows
${view.client.kind === "public" ? "" : "the app's secret and "}the <code>code_verifier</code>.</p>
${codeBlock("the code", view.values.code ?? "")}`
      : nothing
  }</li>
${exchangeStep(view)}
${view.values.accessToken === undefined ? rest : tokenSteps(view)}
</ol>`

/** Page after a denial or a refused request. */
export const refusedBody = (client: Client, error: string, description: string): Html =>
  html`<p><a href="/playground">Playground</a></p>
<h1>${client.name}</h1>
<p class="notice">The browser came back without a code: <code>${error}</code>${
    description === "" ? nothing : html` (${description})`
  }.</p>
<p>An app tells its user what does not work now, and may ask again later.</p>
<p><a href="/playground?app=${client.id}" class="button">Start again</a></p>`

const exchangeStep = (view: FlowView): Html => {
  const { client, last, values } = view
  const isDone = values.accessToken !== undefined
  return html`<li class="${isDone ? "done" : ""}"${
    isDone ? nothing : html` aria-current="step"`
  }><h2>Exchange the code for tokens</h2>
${recorded(view, "exchange")}
${
    last?.step === "exchange" && isDone
      ? html`<p>The access token, decoded. The API checks its signature, and that the user has not taken the access back:</p>
${codeBlock("the claims", decodeClaims(values.accessToken ?? "") ?? "")}`
      : nothing
  }
${
    isDone
      ? nothing
      : html`<p>From the app's server${client.kind === "public" ? " or device" : ""}:</p>
${
        codeBlock(
          "the exchange",
          curlForm(
            `${view.addresses.baseUrl}${paths.exchange}`,
            fieldsOf(view.addresses, client, "exchange", {
              ...values,
              secret: client.kind === "public" ? undefined : "CLIENT_SECRET"
            })
          )
        )
      }
${form(view, "exchange", html`<button>Exchange the code</button>`)}`
  }</li>`
}

const tokenSteps = (view: FlowView): Html =>
  html`${
    tokenStep(
      view,
      "me",
      "Call the API",
      "Send GET /v2/me",
      html`Who is the user? Needs <code>${view.catalogue.profileScope}</code>; a token without it is told so.`
    )
  }
${
    tokenStep(
      view,
      "refresh",
      "Refresh",
      "Refresh the tokens",
      html`The access token lives for 30 minutes. Each refresh answers a new refresh token, and the one before stops working.`
    )
  }
${
    tokenStep(
      view,
      "revoke",
      "Revoke",
      "Revoke the access",
      html`The app gives its access back. Call the API afterwards: the token is refused at once.`
    )
  }`

const tokenStep = (view: FlowView, step: Step, title: string, label: string, about: Html): Html =>
  html`<li${view.last?.step === step ? html` aria-current="step"` : nothing}><h2>${title}</h2>
<p>${about}</p>
${recorded(view, step)}
${
    form(
      view,
      step,
      html`<button${view.last?.step === step ? html` class="secondary"` : nothing}>${label}</button>`
    )
  }</li>`

const rest = html`<li><h2>Call the API</h2></li>
<li><h2>Refresh</h2></li>
<li><h2>Revoke</h2></li>`

const recorded = ({ last }: FlowView, step: Step): Html =>
  last?.step === step
    ? html`<p id="outcome">Sent:</p>
${codeBlock("the request", last.call.request)}
<p role="status">Answered: <strong class="${last.call.status < 400 ? "fine" : "error"}">${last.call.status}</strong></p>
${codeBlock("the answer", last.call.body)}`
    : nothing

const form = ({ client, visitor }: FlowView, step: Step, button: Html): Html =>
  html`<form method="post" action="/playground/run">
${csrfField(visitor.viewer)}
<input type="hidden" name="step" value="${step}"><input type="hidden" name="app" value="${client.id}">
${
    client.kind === "public" || step === "me"
      ? nothing
      : html`<label for="secret-${step}">Client secret</label>
<input id="secret-${step}" name="secret" type="password" required autocomplete="off" aria-describedby="secret-${step}-note">
<small id="secret-${step}-note" class="muted">It is sent to the server and kept nowhere.</small>`
  }${button}
</form>`
