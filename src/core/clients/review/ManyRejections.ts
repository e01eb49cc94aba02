import { Effect } from "effect"
import type { BadRequest } from "../../../domain/ApiError.ts"
import * as Input from "../../../domain/Input.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import type { ManagedClient } from "../records/Client.ts"
import { type ChosenApp, ChosenApps } from "./ChosenApps.ts"
import { ClientReview } from "./ClientReview.ts"

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

const decode = Input.decode(ChosenApps)
