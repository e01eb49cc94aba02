import { Effect, Schema } from "effect"
import type { AppEventType } from "../src/core/clients/events/AppEvent.ts"
import { AppEvents } from "../src/core/clients/events/AppEvents.ts"
import type { ClientId } from "../src/domain/Ids.ts"
import type { OwnerEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"

/** Events of a review that the app itself hears of; a question is for people. */
const types: Partial<Readonly<Record<OwnerEvent, AppEventType>>> = {
  approved: "app.approved",
  rejected: "app.rejected",
  "change-approved": "app.change_approved",
  "change-rejected": "app.change_rejected",
  "rejection-undone": "app.rejection_undone",
  "change-rejection-undone": "app.change_rejection_undone",
  suspended: "app.suspended",
  resumed: "app.resumed"
}

/**
 * Tells an app what its owner gets a mail of: both wait until a decision can be taken back no more. However often the
 * job is tried, it is one event.
 */
export const tellApp = Effect.fnUntraced(function*(
  { id }: JobContext,
  clientId: ClientId,
  type: AppEventType,
  data: { readonly [key: string]: Schema.Json }
) {
  yield* (yield* AppEvents).publish({ clientId, type, id, data: { client_id: clientId, ...data } })
})

export const typeOf = (event: OwnerEvent): AppEventType | undefined => types[event]
