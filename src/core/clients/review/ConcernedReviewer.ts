import { Effect } from "effect"
import type { Reviewer } from "../life/ClientCommands.ts"
import { appAccess } from "../records/AppAccess.ts"
import type { ManagedClient } from "../records/Client.ts"

/** Makes what tells whether a reviewer has a part in an app, or is to have it: it is their own then. */
export const concernedReviewer = Effect.map(
  appAccess,
  ({ roleOf }) => (reviewer: Reviewer, client: ManagedClient): Effect.Effect<boolean> =>
    client.change?.nextOwnerId === reviewer
      ? Effect.succeed(true)
      : Effect.map(roleOf(reviewer, client), (role) => role !== undefined)
)
