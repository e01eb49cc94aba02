import type { AppFigures } from "../../core/clients/AppFigures.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Thread } from "../../core/clients/review/ReviewDesk.ts"
import type { OwnerMessage } from "../../core/clients/review/ReviewMessage.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { Problem } from "./AppRoutes.ts"

/** What the overview of an app shows. */
export interface OverviewState {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly thread: Thread<OwnerMessage>
  readonly figures: AppFigures
  /** Whether owners can make test apps on this server now. */
  readonly hasTestApps: boolean
  /** Problem with a form of the page, and which form it was. */
  readonly problem?: Problem | undefined
  readonly form?: "review" | "answer"
  readonly answer?: string
}
