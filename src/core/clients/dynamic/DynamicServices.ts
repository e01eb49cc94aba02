import { Layer } from "effect"
import { DynamicRegistration } from "./DynamicRegistration.ts"
import { InitialTokens } from "./InitialTokens.ts"

/** Services of this room, composed once for the server and the tests. */
export const DynamicServices = Layer.provideMerge(DynamicRegistration.layer, InitialTokens.layer)
