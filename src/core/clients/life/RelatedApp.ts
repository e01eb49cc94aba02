import { Effect, Schema, Struct } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { ClientStatus } from "../records/Client.ts"

/** Another app that a reviewer should know of. */
export const RelatedApp = Schema.Struct({
  id: ClientId,
  ownerId: UserId,
  name: Schema.String,
  status: ClientStatus,
  /** False until a reviewer decides about it; imported apps and demo apps may be approved without. */
  reviewed: Schema.Boolean,
  /** True when the app does not have this name yet: a change to it waits for review. */
  wanted: Schema.Boolean
}).annotate({ identifier: "RelatedApp" })
export type RelatedApp = typeof RelatedApp.Type

/** Some of the apps that something is true of, at most `mostShown`, and the number of all. */
export interface RelatedApps {
  readonly apps: ReadonlyArray<RelatedApp>
  readonly total: number
}

/** More are counted and not shown: names such as "Test" have hundreds. */
export const mostShown = 10

/** Apps in the rows of a statement, each of which has the number of all as `total`. */
export const relatedApps = <E>(query: Effect.Effect<ReadonlyArray<unknown>, E>): Effect.Effect<RelatedApps, E> =>
  Effect.map(allCounted(query), (found) => ({
    apps: found.map((row) => Struct.omit(row, ["total"])),
    total: found[0]?.total ?? 0
  }))

const allCounted = Rows.all(Schema.Struct({ ...RelatedApp.fields, total: Schema.Int }))
