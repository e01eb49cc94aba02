import { Effect, Schema } from "effect"
import type { BadRequest } from "../../../domain/ApiError.ts"
import * as Input from "../../../domain/Input.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import { Reason } from "../life/Registration.ts"
import type { ManagedClient } from "../records/Client.ts"
import { ClientReview } from "./ClientReview.ts"

/** An app in the version that its reviewer looked at. */
const ChosenApp = Schema.Struct({
  id: Schema.String,
  version: Schema.Int.annotate({ description: "The version that was looked at: another one is left out." })
})
export type ChosenApp = typeof ChosenApp.Type

/** Two pages of the list. So many decisions take about a second. */
export const mostRejected = 50

export const ManyRejections = Schema.Struct({
  clients: Schema.Array(ChosenApp).check(Schema.isMinLength(1), Schema.isMaxLength(mostRejected)),
  reason: Reason
})

export interface ManyRejected {
  readonly rejected: ReadonlyArray<ManagedClient>
  /** Apps that stay as they are, and why: they have changed meanwhile, wait no more, or are gone. */
  readonly leftOut: ReadonlyArray<{ readonly id: string; readonly code: string; readonly message: string }>
}

/**
 * Rejects several apps for one reason. Each is a decision of its own, with its mail, its entry in the trail and its
 * undo: one that cannot be made leaves the others as they are.
 */
export const manyRejections = Effect.map(ClientReview, (review) =>
  Effect.fn("ManyRejections.reject")(
    function*(
      by: Reviewer,
      chosen: ReadonlyArray<ChosenApp>,
      text: string
    ): Effect.fn.Return<ManyRejected, BadRequest> {
      const { clients, reason } = yield* decode({ clients: chosen, reason: text })
      const [rejected, leftOut] = yield* Effect.partition(
        clients,
        ({ id, version }) =>
          Effect.mapError(review.reject(by, id, reason, version), ({ code, message }) => ({ id, code, message }))
      )
      return { rejected, leftOut }
    }
  ))

const decode = Input.decode(ManyRejections)
