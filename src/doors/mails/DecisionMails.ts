import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { Change, OwnerEvent } from "../../foundation/jobs/kinds/ReviewNotice.ts"
import { text } from "../../foundation/web/Message.ts"
import { changeFacts } from "./ChangeFacts.ts"
import { rightsOf } from "./ConnectionMails.ts"
import { button, fact, facts, list, type Mail, paragraph, quote } from "./Mail.ts"
import { type Act, actFacts, appAddress, appName, type NamedApp, nameOf, type Place, websiteFact } from "./MailParts.ts"

interface Decision extends Act {
  readonly event: OwnerEvent
  readonly app: NamedApp & { readonly id: string; readonly scopes: ReadonlyArray<ScopeName> }
  /** Reviewer's reason, or question. */
  readonly reason: string | null
  /** Change that was decided on. */
  readonly changes: ReadonlyArray<Change>
  /** Scopes that the owner asked for and that the reviewer left out. */
  readonly leftOut: ReadonlyArray<string>
  /** Names of whose the app was and was to be, where that was decided on. */
  readonly owner?: { readonly from: string; readonly to: string } | undefined
}

/** Tells the owner of an app what a reviewer has decided about it, or wants to know. */
export const decisionMail = (
  place: Place,
  catalogue: Catalogue,
  { app, changes, event, leftOut, owner, reason, ...act }: Decision
): Mail => ({
  subject: text(`mail.decision.${event}.subject`, { app: appName(app) }),
  blocks: [
    paragraph(text(`mail.decision.${event}.what`, { app: appName(app) })),
    ...quote(text(event === "asked" ? "mail.decision.question" : "mail.decision.reason"), reason),
    facts(websiteFact(app), ...actFacts(act), ...changeFacts(changes), ...ownerFact(owner)),
    ...(event === "approved" ? list(text("mail.decision.scopes"), rightsOf(catalogue, app.scopes)) : []),
    ...(owner !== undefined && event === "change-approved" ? [paragraph(text("mail.decision.ownerSecrets"))] : []),
    ...(leftOut.length > 0 ? list(text("mail.decision.leftOut"), rightsOf(catalogue, leftOut)) : []),
    event === "asked"
      ? button(text("mail.decision.answer"), `${appAddress(place, app.id)}#thread`)
      : button(text("mail.yourApp"), appAddress(place, app.id))
  ]
})

const ownerFact = (owner: Decision["owner"]) =>
  owner === undefined
    ? []
    : [fact(text("fields.owner"), text("mail.decision.owner", { from: nameOf(owner.from), to: nameOf(owner.to) }))]
