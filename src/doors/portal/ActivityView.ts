import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Html } from "../../foundation/web/Html.ts"
import type { Visitor } from "../session/PageSession.ts"
import { refusedRequestsSection, type RefusedRequestsView } from "./RefusedRequestsView.ts"

interface ActivityView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly refusedRequests: RefusedRequestsView
}

export const activityBody = ({ client, refusedRequests, visitor }: ActivityView): Html =>
  refusedRequestsSection(visitor, client.id, refusedRequests)
