import { Option, Order } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import type { Question } from "../../core/consent/Consent.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { inLanguage } from "../../domain/files/Words.ts"
import { forReader, type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"
import { developerName } from "./AskingApp.ts"

// Part of the consent page for users who may not decide for their organization: what stands in the place of Allow.

interface PassingOn {
  readonly catalogue: Catalogue
  readonly client: Client
  readonly owner: Option.Option<Account>
  readonly question: Question
  readonly visitor: Visitor
}

/**
 * Says who can allow this, with a text for them that any browser can copy. It names nothing of the request but its
 * rights: an address of it would let its reader answer for the app's user.
 */
export const passOn = (options: PassingOn, mayAllow: boolean): Html => {
  const { account } = options.visitor
  const named = isNamed(account)
  const organization = organizationOf(account)
  const textArea = html`<label for="pass-on">${text("consent.passOn.label")}</label>
<textarea id="pass-on" rows="8" readonly>
${letter(options)}</textarea>`
  return mayAllow
    ? html`<div class="warning amber"><p>${text("consent.withheld.some", { named, organization, strong })}</p>
<details><summary>${text("consent.passOn.label")}</summary>
${textArea}</details></div>`
    : html`<div class="warning red"><p>${onlyAdministrator(account)} ${text("consent.withheld.all")}</p>
${textArea}</div>`
}

/** Sentence that stands in the place of Allow. */
export const onlyAdministrator = (account: Account): Html =>
  text("consent.withheld", { named: isNamed(account), organization: organizationOf(account), strong })

/** Sentences are others where the organization has no name: only the catalogue says what one is called. */
export const isNamed = ({ organizationName }: Account): "yes" | "no" => organizationName ? "yes" : "no"

export const organizationOf = ({ organizationName }: Account): Html => html`<bdi>${organizationName}</bdi>`

/** The text, in the language of the user, line by line. Names are isolated by characters: there is no markup in it. */
const letter = ({ catalogue, client, owner, question: { request }, visitor: { account } }: PassingOn): Html => {
  const name = developerName(owner)
  const rights = request.scopes === null
    ? [forReader(({ language }) => inLanguage(catalogue.file.api.everything, language.tag))]
    : catalogue.rights(request.scopes).toSorted(Order.flip(catalogue.byRisk)).map((scope) =>
      forReader(({ language }) => catalogue.describe(scope, language.tag).title)
    )
  const lines: ReadonlyArray<Phrase> = [
    text("consent.passOn.intro", {
      app: isolated(client.name),
      named: isNamed(account),
      organization: isolated(account.organizationName ?? "")
    }),
    "",
    ...(name === undefined ? [] : [text("consent.developer", { name: isolated(name) })]),
    ...(client.website === "" ? [] : [text("consent.passOn.website", { website: client.website })]),
    "",
    text("consent.passOn.wants"),
    ...rights.map((right) => html`- ${right}`),
    "",
    text("consent.passOn.how")
  ]
  return html`${lines.map((line, at) => at === 0 ? html`${line}` : html`\n${line}`)}`
}

/** FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex #9), as `bdi` does it in markup. */
const isolated = (name: string): string => `\u2068${name}\u2069`
