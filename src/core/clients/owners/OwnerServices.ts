import { Layer } from "effect"
import { CoOwners } from "./CoOwners.ts"
import { OwnerInvitations } from "./OwnerInvitations.ts"

/** Services of this room, composed once for the server and the tests. */
export const OwnerServices = Layer.mergeAll(CoOwners.layer, OwnerInvitations.layer)
