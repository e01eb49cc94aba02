import type { DateTime } from "effect"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import type { Rehearsal } from "../../core/legacy/migration/Rehearsal.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { choiceText, listText } from "../../foundation/web/ListText.ts"
import { muted, text } from "../../foundation/web/Message.ts"

/** What the tokens of a legacy app called, what would become of it with scopes, and what of it nobody sees. */
export const callsText = (state: MigrationState, now: DateTime.Utc): Html => {
  const { calls: { blindness, since }, legacy, rehearsal } = state
  const days = Math.floor((now.epochMilliseconds - since.epochMilliseconds) / day)
  const unseen = blindness === null
    ? text("use.seen")
    : html`${text(`legacyCalls.blind.${blindness}`)}${legacy ? html` ${text("legacyCalls.blind.then")}` : nothing}`
  return html`<p>${
    rehearsal.calls === 0
      ? text("legacyCalls.none", { days })
      : html`${text("legacyCalls.made", { days, needs: needs(state) })} ${rehearsalText(rehearsal, legacy)}`
  } ${muted([unseen])}</p>`
}

/** Number of calls, and of users, that would have been refused. */
export const rehearsalText = (
  { isComplete, refusedCalls: calls, refusedUsers: users }: Rehearsal,
  legacy: boolean
): Html => {
  const which = text(legacy ? "legacyCalls.rehearsed.chosen" : "legacyCalls.rehearsed.saved")
  return calls === 0
    ? text("legacyCalls.rehearsed", { which })
    : text(isComplete ? "legacyCalls.rehearsed.refused" : "legacyCalls.rehearsed.refusedAtLeast", {
      which,
      calls,
      users
    })
}

/** Calls by what they needed, the most frequent first. The table of what was seen has all of them. */
const needs = ({ calls: { uncovered }, seen }: MigrationState): Html => {
  const called = seen.filter(({ calls }) => calls > 0).toSorted((a, b) => b.calls - a.calls)
  const named = called.slice(0, mostNamed).map(({ and = [], calls, or = [], scope }) => {
    const code = [scope, ...and, ...or].map((name) => html`<code>${name}</code>`)
    return text("legacyCalls.need", { scopes: or.length > 0 ? choiceText(code) : listText(code), calls })
  })
  return listText([
    ...named,
    ...(uncovered > 0 ? [text("legacyCalls.uncovered", { calls: uncovered })] : []),
    ...(called.length > mostNamed ? [text("legacyCalls.more", { needs: called.length - mostNamed })] : [])
  ])
}

const mostNamed = 5

const day = 86_400_000
