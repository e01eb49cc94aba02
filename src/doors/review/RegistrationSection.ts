import type { RegistrationFacts } from "../../core/clients/dynamic/RegistrationRecord.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"

interface RegistrationView {
  /** What the app said when it registered by itself; none of an app that did not. */
  readonly registration: RegistrationFacts | undefined
  readonly visitor: Visitor
}

/** How an app came that registered by itself, and what it says beside its facts: nothing of it was checked. */
export const registrationSection = ({ registration, visitor: { account } }: RegistrationView): Html => {
  if (registration === undefined) return nothing
  const { askedAt, initialToken, metadata, registeredAt } = registration
  const { contacts = [], software_id, software_version } = metadata
  const fact = (label: Phrase, value: Phrase) => html`<dt>${label}</dt><dd>${value}</dd>\n`
  const software = [software_id, software_version].filter((part) => part !== undefined).join(" ")
  return html`<section aria-labelledby="registration">
<h2 id="registration">${text("registration.title")}</h2>
<p>${
    initialToken === null
      ? text("registration.byAnybody")
      : text("registration.byToken", { name: html`<bdi>${initialToken}</bdi>` })
  } ${text("registration.unchecked")}</p>
<dl class="facts">
${fact(text("registration.at"), dateText(registeredAt, account))}${
    askedAt === null ? nothing : fact(text("registration.askedAt"), dateText(askedAt, account))
  }${software === "" ? nothing : fact(text("registration.software"), html`<bdi>${software}</bdi>`)}${
    contacts.length < 2
      ? nothing
      : fact(text("registration.contacts"), html`<bdi>${contacts.join(", ")}</bdi>`)
  }</dl>
</section>`
}
