import type { DateTime } from "effect"
import { isWithoutOwner, type ManagedClient } from "../../core/clients/records/Client.ts"
import { documentHostOf } from "../../core/clients/records/DocumentHost.ts"
import { decidedScopes } from "../../core/clients/review/DecidedScopes.ts"
import type { QueueFacts } from "../../core/clients/review/QueueFacts.ts"
import type { QueueFlag } from "../../core/clients/review/QueueFlags.ts"
import type { AskedNumbers } from "../../core/usage/AskedUse.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Risk } from "../../domain/catalogue/file/ScopeRisk.ts"
import { judge, type Judgement } from "../../domain/catalogue/Judgement.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { ageText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { reviewPath } from "../parts/Paths.ts"
import { riskText, summaryText, topicText, verbsText } from "../parts/RiskText.ts"
import { statusLabel, statusView } from "../parts/StatusView.ts"
import { boxOf } from "./QueueAddress.ts"

export interface RowView {
  readonly catalogue: Catalogue
  readonly facts: ReadonlyMap<string, QueueFacts>
  /** Checks of each app of the page that found something. */
  readonly flags: ReadonlyMap<string, ReadonlyArray<QueueFlag>>
  readonly now: DateTime.Utc
  /** What changes ask for against what their apps use. */
  readonly use: ReadonlyMap<string, AskedNumbers>
  /** Names of owners, and of reviewers who have claimed an app. */
  readonly people: ReadonlyMap<string, Phrase>
  readonly reader: TimePreferences & { readonly id: string }
}

/** An app in two lines of the list: what it would do, whose it is, what stands out, and how long it has waited. */
export const queueRow = (view: RowView, client: ManagedClient, hasBoxes: boolean): Html => {
  const { catalogue, people } = view
  const { id, name, ownerId } = client
  const facts = view.facts.get(id)
  const judgement = judge(catalogue, decidedScopes(client))
  const marks = marksOf(view, client, facts)
  const use = view.use.get(id)
  return html`<tr data-row>${hasBoxes ? html`<td class="box">${box(client)}</td>` : nothing}
<td class="free"><a href="${reviewPath(id)}"><bdi>${name}</bdi></a> ${riskBadge(judgement.risk)}<small>${
    mayText(judgement)
  }${use === undefined ? nothing : html` · ${text("queue.use", { asked: use.asked, used: use.used })}`}</small></td>
<td class="free" data-label="${text("review.owner")}">${people.get(ownerId) ?? ownerId}${
    isWithoutOwner(client)
      ? html`<small>${documentHostOf(client) ?? nothing}</small>`
      : facts === undefined
      ? nothing :
      html`<small>${recordText(facts.ownerRecord)}</small>`
  }</td>
<td class="free"${marks.length === 0 ? nothing : html` data-label="${text("queue.flags")}"`}>${
    marks.map((mark) => html`${mark} `)
  }</td>
<td data-label="${text("queue.age")}">${waiting(view, facts)}${claimer(view, facts)}</td>
</tr>`
}

const box = ({ id, isWaiting, name, version }: ManagedClient): Html =>
  isWaiting
    ? html`<input type="checkbox" name="${boxOf(id)}" value="${version}" aria-label="${
      text("queue.choose", { app: name })
    }">`
    : nothing

/** A sign for each step of the risk, so that neither a colour nor a word has to be seen. */
export const riskBadge = (risk: Risk): Html =>
  html`<span class="risk risk${risk}"><span aria-hidden="true">${signs[risk]}</span> ${riskText(risk)}</span>`

const signs: Readonly<Record<Risk, string>> = { 0: "○○○", 1: "●○○", 2: "●●○", 3: "●●●" }

/** The two riskiest areas with what the app may do there, and the number of the others. */
const mayText = (judgement: Judgement): Html => {
  const { areas } = judgement
  const [first, second, ...others] = areas.map((area) =>
    text("queue.may", { area: topicText(area), verbs: verbsText((area.parts[0] ?? area).verbs) })
  )
  if (first === undefined) return summaryText(judgement)
  return html`${first}${second === undefined ? nothing : html` · ${second}`}${
    others.length === 0 ? nothing : html` · ${text("queue.may.others", { count: others.length })}`
  }`
}

const recordText = ({ approved, apps, rejected, suspended }: QueueFacts["ownerRecord"]): Html =>
  apps === 1
    ? text("queue.record.first")
    : approved + rejected + suspended === 0
    ? text("queue.record.none", { apps })
    : suspended === 0
    ? text("queue.record", { approved, rejected })
    : text("queue.record.suspended", { approved, rejected, suspended })

const marksOf = ({ flags }: RowView, client: ManagedClient, facts: QueueFacts | undefined): ReadonlyArray<Html> => {
  const { change, id, status } = client
  const {
    isAnswered = false,
    isAsked = false,
    isImported = false,
    isOverdue = false,
    isOwnerless = false,
    reports = 0,
    wishes = 0
  } = facts ?? {}
  const marked = (isSo: boolean, mark: Html) => isSo ? [mark] : []
  return [
    ...(change?.isWaiting === true
      ? [
        html`<span class="status">${text("queue.flag.change")}</span>`,
        ...marked(status === "suspended", statusLabel(status))
      ]
      : marked(status !== "pending" || change !== null, statusView(client))),
    ...marked(isAnswered, html`<span class="status approved">${text("queue.flag.answered")}</span>`),
    ...marked(isAsked, html`<span class="status">${text("queue.flag.asked")}</span>`),
    ...marked(isImported, html`<span class="status">${text("queue.flag.imported")}</span>`),
    ...marked(isOverdue, html`<span class="status pending">${text("queue.flag.overdue")}</span>`),
    ...marked(wishes > 0, html`<span class="status pending">${text("queue.wished", { count: wishes })}</span>`),
    ...marked(isOwnerless, html`<span class="status rejected">${text("queue.flag.ownerless")}</span>`),
    ...marked(reports > 0, html`<span class="status rejected">${text("review.reported", { count: reports })}</span>`),
    ...(flags.get(id) ?? []).map((flag) => html`<span class="status pending">${text(`queue.flag.${flag}`)}</span>`)
  ]
}

const waiting = ({ now, reader }: RowView, facts: QueueFacts | undefined): Html =>
  facts === undefined || facts.waitingSince === null ? html`–` : ageText(facts.waitingSince, now, reader)

const claimer = ({ people, reader }: RowView, facts: QueueFacts | undefined): Html => {
  const { reviewer } = facts?.claim ?? {}
  return reviewer === undefined
    ? nothing
    : html`<small>${
      reviewer === reader.id
        ? text("queue.claimed.you")
        : text("queue.claimed.by", { who: people.get(reviewer) ?? reviewer })
    }</small>`
}
