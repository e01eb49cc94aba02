import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { Problem } from "./AppRoutes.ts"
import { callsSection, type CallsView } from "./CallsView.ts"
import { eventsLink } from "./EventsView.ts"
import { refusedRequestsSection, type RefusedRequestsView } from "./RefusedRequestsView.ts"
import { unusedSection } from "./UnusedScopesView.ts"

interface ActivityView extends CallsView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly refusedRequests: RefusedRequestsView
  /** Problem with the form that drops scopes. */
  readonly problem?: Problem | undefined
}

export const activityBody = (view: ActivityView): Html =>
  html`${unusedSection(view)}
${callsSection(view)}
${refusedRequestsSection(view.visitor, view.client.id, view.refusedRequests)}
${eventsLink(view.client.id)}`
