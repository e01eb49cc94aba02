import { Effect } from "effect"
import type { UserId } from "../../domain/Ids.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"

/** Handler of the management API for an act of the caller, with its outcome as the data of the answer. */
export const byCaller =
  <Request, A, E, R>(act: (caller: UserId, request: Request) => Effect.Effect<A, E, R>) => (request: Request) =>
    Effect.flatMap(CurrentUser, ({ account }) => Effect.map(act(account.id, request), succeed))
