import { DateTime } from "effect"
import { sixMonthsBefore } from "../../core/consent/ConnectionList.ts"
import type { UnusedConnections, UsedConnection } from "../../core/consent/Connections.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { agoText, shortDateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { coverageText } from "../parts/UseText.ts"
import type { Visitor } from "../session/PageSession.ts"
import { connectionsPath, marksOf, unusedPath } from "./ConnectionsAddress.ts"
import { hostOf, nameOf } from "./EndAccessView.ts"

/** Apps that were not used for six months, with what is known of each, before they lose their access. */
export const unusedAppsBody = ({ account, viewer }: Visitor, { connections, coverage }: UnusedConnections): Html =>
  connections.length === 0 ? noneBody(account, coverage) : confirmation({
    question: text("connections.unused.question", { apps: connections.length }),
    consequences: html`<ul class="unused">${
      connections.map((one) => html`<li><strong>${nameOf(one)}</strong>${hostOf(one)}<br>${whyText(one, account)}</li>`)
    }</ul>
<p>${text("connections.disconnect.consequencesMany")}</p>
<p>${text("connections.disconnect.later", { apps: connections.length })}</p>
<p class="muted">${text("connections.unused.which")} ${coverageText(coverage, account)}</p>`,
    action: unusedPath,
    hidden: { apps: marksOf(connections) },
    button: text("connections.disconnect.many", { apps: connections.length }),
    back: connectionsPath,
    backLabel: text("connections.disconnect.keepMany"),
    viewer
  })

const whyText = ({ since, use: { last, quietSince } }: UsedConnection, reader: TimePreferences): Html =>
  last.by === "calls" && last.at !== null
    ? text("use.before", { ago: agoText(last.at, reader) })
    : last.by === "calls" && since !== null
    ? text("connections.unused.never", { ago: agoText(since, reader) })
    : text("connections.unused.quiet", { since: quietSince === null ? "" : shortDateText(quietSince, reader) })

const noneBody = (reader: TimePreferences, coverage: UnusedConnections["coverage"]): Html =>
  html`<h1>${text("connections.unused.title")}</h1>
<p class="empty">${text("connections.unused.none")}</p>
<p>${
    forReader(({ now }) => {
      const { completeSince } = coverage
      return completeSince !== null && now !== undefined && DateTime.isGreaterThan(completeSince, sixMonthsBefore(now))
        ? text("connections.unused.notYet", {
          since: shortDateText(completeSince, reader),
          from: shortDateText(DateTime.add(completeSince, { months: 6 }), reader)
        })
        : coverageText(coverage, reader)
    })
  }</p>
<p><a href="${connectionsPath}">${text("connections")}</a></p>`
