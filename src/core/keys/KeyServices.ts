import { Layer } from "effect"
import { KeyRotation } from "./KeyRotation.ts"
import { MacKeys } from "./MacKeys.ts"
import { MasterKey } from "./MasterKey.ts"
import { RefreshKeys } from "./RefreshKeys.ts"
import { ServerKeys } from "./ServerKeys.ts"
import { SigningKeys } from "./SigningKeys.ts"

/** Services of this room, composed once for the server, the command line and the tests. */
export const KeyServices = KeyRotation.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(MacKeys.layer, RefreshKeys.layer, SigningKeys.layer)),
  Layer.provideMerge(Layer.mergeAll(MasterKey.layer, ServerKeys.layer))
)
