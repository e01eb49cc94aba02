import type { Client } from "../../core/clients/Client.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import { curlForm } from "../../foundation/web/CurlCommand.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Visitor } from "../account/PageSession.ts"
import type { Exchange } from "./Loopback.ts"
import { claims, fieldsOf, type Held, paths, type Step } from "./Run.ts"

export interface FlowView {
  readonly visitor: Visitor
  readonly client: Client
  readonly addresses: { readonly authUrl: string; readonly baseUrl: string }
  readonly held: Held
  /** What was just done. */
  readonly last?: { readonly step: Step; readonly exchange: Exchange }
}

/** The steps after the user's decision: what was just done open, what can be done now below it. */
export const flowBody = (view: FlowView): Html =>
  html`<p><a href="/playground">Playground</a></p>
<div class="heading"><h1>${view.client.name}</h1><p><a href="/playground?app=${view.client.id}">Start again</a></p></div>
<ol class="steps">
<li class="done"><h2>Send the user to the authorization URL</h2></li>
<li class="done"><h2>The user decides</h2>
${
    view.last === undefined
      ? html`<p>Allowed. The browser came back to the app with a code; <code>state</code> is the one that was sent, and
<code>iss</code> names this server. The code is worth nothing by itself: it is good once, for a minute, and only for who knows
${view.client.kind === "public" ? "" : "the app's secret and "}the <code>code_verifier</code>.</p>
${codeBlock("the code", view.held.code ?? "")}`
      : nothing
  }</li>
${exchangeStep(view)}
${view.held.accessToken === undefined ? rest : tokenSteps(view)}
</ol>`

/** The user said no, or the request was refused. */
export const refusedBody = (client: Client, error: string, description: string): Html =>
  html`<p><a href="/playground">Playground</a></p>
<h1>${client.name}</h1>
<p class="notice">The browser came back without a code: <code>${error}</code>. ${description}</p>
<p>An app tells its user what does not work now, and may ask again later.</p>
<p><a href="/playground?app=${client.id}" role="button">Start again</a></p>`

const exchangeStep = (view: FlowView): Html => {
  const { client, held, last } = view
  const isDone = held.accessToken !== undefined
  return html`<li class="${isDone ? "done" : ""}"${
    isDone ? nothing : html` aria-current="step"`
  }><h2>Exchange the code for tokens</h2>
${outcome(view, "exchange")}
${
    last?.step === "exchange" && isDone
      ? html`<p>The access token, decoded. The API checks its signature, and that the user has not taken the access back:</p>
${codeBlock("the claims", claims(held.accessToken ?? "") ?? "")}`
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
              ...held,
              secret: client.kind === "public" ? undefined : "CLIENT_SECRET"
            })
          )
        )
      }
${
        form(
          view,
          "exchange",
          html`${
            client.kind === "public"
              ? nothing
              : html`<label for="secret">Client secret</label>
<input id="secret" name="secret" type="password" required autocomplete="off" aria-describedby="secret-note">
<small id="secret-note" class="muted">It is sent to the token endpoint and kept nowhere.</small>`
          }<button>Exchange the code</button>`,
          false
        )
      }`
  }</li>`
}

const tokenSteps = (view: FlowView): Html =>
  html`${
    tokenStep(
      view,
      "me",
      "Call the API",
      "Send GET /v2/me",
      html`Who is the user? Needs <code>PROFILE_READ</code>; a token without it is told so.`
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
${outcome(view, step)}
${
    form(
      view,
      step,
      html`<button${view.last?.step === step ? html` class="secondary"` : nothing}>${label}</button>`,
      true
    )
  }</li>`

const rest = html`<li><h2>Call the API</h2></li>
<li><h2>Refresh</h2></li>
<li><h2>Revoke</h2></li>`

const outcome = ({ last }: FlowView, step: Step): Html =>
  last?.step === step
    ? html`<p id="outcome">Sent:</p>
${codeBlock("the request", last.exchange.request)}
<p role="status">Answered: <strong class="${
      last.exchange.status < 400 ? "fine" : "error"
    }">${last.exchange.status}</strong></p>
${codeBlock("the answer", last.exchange.body)}`
    : nothing

const form = ({ client, held, visitor }: FlowView, step: Step, fields: Html, carriesSecret: boolean): Html =>
  html`<form method="post" action="/playground/run#outcome">
${csrfField(visitor.viewer)}
${
    Object.entries({
      step,
      app: client.id,
      code: held.code,
      verifier: held.verifier,
      access_token: held.accessToken,
      refresh_token: held.refreshToken,
      secret: carriesSecret ? held.secret : undefined
    }).map(([name, value]) =>
      value === undefined ? nothing : html`<input type="hidden" name="${name}" value="${value}">`
    )
  }
${fields}
</form>`
