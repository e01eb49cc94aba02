import { Schema } from "effect"
import { counted } from "../../domain/Counted.ts"

/** What users have given for a resource, and what ends with it. */
export const ResourceUsage = Schema.Struct({
  /** Live grants, or those that were counted. */
  grants: Schema.Int,
  apps: Schema.Int,
  users: Schema.Int,
  /** True if all live grants were counted, and not only the first `mostCounted`. */
  isComplete: Schema.Boolean
}).annotate({ identifier: "ResourceUsage" })
export type ResourceUsage = typeof ResourceUsage.Type

/** Nobody needs the exact number beyond these. */
export const mostCounted = 10_000

/** "3 grants of 1 app by 2 users" */
export const usageInWords = ({ apps, grants, isComplete, users }: ResourceUsage): string =>
  `${isComplete ? "" : "at least "}${counted(grants, "grant")} of ${counted(apps, "app")} by ${counted(users, "user")}`
