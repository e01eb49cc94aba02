import { Layer } from "effect"
import { KeyRotation } from "./KeyRotation.ts"
import { MacKeys } from "./MacKeys.ts"
import { MasterKey } from "./MasterKey.ts"
import { RefreshKeys } from "./RefreshKeys.ts"
import { ServerKeys } from "./ServerKeys.ts"
import { SigningKeys } from "./SigningKeys.ts"

/** The services of this room, composed once for the server, the command line and the tests. */
export const KeyServices = KeyRotation.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(SigningKeys.layer, RefreshKeys.layer)),
  // Made before the first signing key, so that nothing passes for a token of a server without them (`SignedTokens`).
  Layer.provideMerge(MacKeys.layer),
  Layer.provideMerge(Layer.mergeAll(MasterKey.layer, ServerKeys.layer))
)
