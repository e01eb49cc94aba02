import { Schema } from "effect"
import { ClientId, UserId } from "../../domain/Ids.ts"
import { ScopeName } from "../../domain/scopes/Scope.ts"

// Apps with scopes that nobody uses, in the API (`ReviewApi`).

const AppWithUnused = Schema.Struct({
  id: ClientId,
  name: Schema.String,
  ownerId: UserId,
  /** Scopes that reach everyone and that nobody used. */
  unused: Schema.Array(ScopeName),
  /** From when on no call with them was seen. */
  since: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "AppWithUnusedScopes" })

export const UnusedScopesPage = Schema.NullOr(
  Schema.Struct({
    apps: Schema.Array(AppWithUnused),
    /** False while more counts wait to be added up than are read: then apps are left out. */
    isCurrent: Schema.Boolean,
    total: Schema.Int,
    page: Schema.Int,
    pages: Schema.Int
  }).annotate({ identifier: "UnusedScopesPage" })
)
