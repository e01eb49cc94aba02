import { Schema } from "effect"

/** Roles of co-owners: an `owner` may do everything, a `developer` everything but secrets, owners and deletion. */
export const CoOwnerRole = Schema.Literals(["owner", "developer"])
export type CoOwnerRole = typeof CoOwnerRole.Type
