import { differences, madeRequired } from "../../core/clients/life/ChangeDiff.ts"
import type { ClientChange, ManagedClient } from "../../core/clients/records/Client.ts"
import type { ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import type { AppUse } from "../../core/grants/AppUse.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { inQuotes } from "../../domain/Text.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { differenceTable } from "../parts/ChangeDiffView.ts"
import { fieldLabels } from "../parts/FieldLabels.ts"
import { reachText, riskText, wishText } from "../parts/RiskText.ts"
import type { Visitor } from "../session/PageSession.ts"
import { hostsOf } from "./RedirectHostsView.ts"

interface ChangeView {
  /** Names of people by their ids. */
  readonly people: ReadonlyMap<string, Phrase>
  readonly catalogue: Catalogue
  readonly client: ManagedClient
  readonly usage: AppUse
  readonly visitor: Visitor
}

/** The change of an app that waits or was rejected: in words, and below them its old and its new values. */
export const changeSection = (view: ChangeView): Html => {
  const { client, visitor: { account } } = view
  if (client.change === null) return nothing
  const { rejectionReason, submittedAt } = client.change
  return html`<section aria-labelledby="change">
<h2 id="change">${text(rejectionReason === null ? "review.change.waiting" : "review.change.rejected")}</h2>
<p>${
    text(client.status === "suspended" ? "review.change.ofSuspended" : "review.change.submitted", {
      at: dateText(submittedAt, account)
    })
  }</p>
${rejectionReason === null ? nothing : html`<blockquote>${rejectionReason}</blockquote>`}
${transferWords(view, client.change)}
${inWords(view, client.change)}
${differenceTable(client, client.change)}
</section>`
}

/** Whose the app is and is to be: both people, before all else that the change does. */
const transferWords = ({ client, people }: ChangeView, { nextOwnerId }: ClientChange): Html => {
  if (typeof nextOwnerId !== "string") return nothing
  const person = (id: string) => html`<strong>${people.get(id) ?? id}</strong>`
  return notice(
    "warning",
    html`<p>${text("changeWords.owner", { from: person(client.ownerId), to: person(nextOwnerId) })}</p>
<p>${text("changeWords.owner.after", { from: person(client.ownerId) })} <a href="/review?${
      new URLSearchParams({ state: "all", search: nextOwnerId }).toString()
    }">${text("changeWords.owner.apps")}</a></p>`
  )
}

/** Scopes of a change that no scope of the version that serves covers. */
export const addedScopes = (
  { covers }: Pick<Catalogue, "covers">,
  { change, legacy, scopes }: ManagedClient
): ReadonlyArray<ScopeName> => change === null || legacy ? [] : change.scopes.filter((scope) => !covers(scopes, scope))

const inWords = ({ catalogue, client, usage }: ChangeView, change: ClientChange): Html => {
  const added = addedScopes(catalogue, client)
  const gained = judge(catalogue, added)
  const lost = judge(
    catalogue,
    client.legacy ? [] : client.scopes.filter((scope) => !catalogue.covers(change.scopes, scope))
  )
  const rights = (key: "more" | "less", { areas }: typeof gained) =>
    areas.flatMap((area) =>
      area.parts.map(({ reach, risk, verbs }) =>
        text(`changeWords.may.${key}`, {
          wish: wishText(verbs, [area]),
          reach: reachText(reach),
          risk: html`<span class="risk${risk}">${riskText(risk)}</span>`
        })
      )
    )
  const sentences = [
    ...rights("more", gained),
    ...rights("less", lost),
    ...(client.legacy && change.scopes.length > 0 ? [text("changeWords.leavesEverything")] : []),
    ...otherWords(catalogue, client, change)
  ]
  return html`${
    sentences.length === 0 ? nothing : html`<ul class="words">${sentences.map((one) => html`<li>${one}</li>\n`)}</ul>`
  }
${
    added.length === 0
      ? nothing
      : html`<p><strong>${
        usage.isComplete
          ? text("changeWords.again", { users: usage.asked })
          : text("changeWords.againAtLeast", { users: usage.asked })
      }</strong></p>`
  }`
}

/** What else changes for users: where codes go, what they may decline, and what they see. */
const otherWords = (catalogue: Catalogue, client: ManagedClient, change: ClientChange): ReadonlyArray<Html> => {
  const all = differences(client, change)
  const [before, after] = [hostsOf(client.redirectUris), hostsOf(change.redirectUris)]
  const missing = (from: ReadonlyMap<string, unknown>, of: ReadonlyMap<string, unknown>) =>
    [...from.keys()].filter((host) => !of.has(host))
  const hosts = (key: "new" | "gone", names: ReadonlyArray<string>) =>
    names.length === 0
      ? []
      : [text(`changeWords.hosts.${key}`, {
        count: names.length,
        hosts: listText(names.map((name) => html`<code>${name}</code>`))
      })]
  const titles = (key: "optional" | "required", scopes: ReadonlyArray<ScopeName>) =>
    scopes.length === 0
      ? []
      : [text(`changeWords.choice.${key}`, {
        scopes: listText(
          scopes.map((scope) => forReader(({ language: { tag } }) => inQuotes(catalogue.describe(scope, tag).title)))
        )
      })]
  const optional = all.find(({ field }) => field === "optionalScopes")?.added ?? []
  const seen = all.filter(({ field }) => isSeen(field))
  return [
    ...hosts("new", missing(after, before)),
    ...hosts("gone", missing(before, after)),
    ...titles("optional", optional),
    ...titles("required", madeRequired(all)),
    ...(seen.length === 0
      ? []
      : [text("changeWords.seen", { fields: listText(seen.map(({ field }) => fieldLabels[field])) })])
  ]
}

/** Fields that users see; the address of a picture is none, and says no more than that the picture changes. */
const isSeen = (field: ReviewedField): boolean =>
  !["redirectUris", "scopes", "optionalScopes", "logoUrl"].includes(field)
