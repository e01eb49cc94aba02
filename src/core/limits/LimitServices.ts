import { Layer } from "effect"
import { MasterKey } from "../keys/MasterKey.ts"
import { Budgets } from "./Budgets.ts"
import { Limiter } from "./Limiter.ts"

/** Services of this room, composed once for the server, the command line and the tests. */
export const LimitServices = Budgets.layer.pipe(
  Layer.provideMerge(Limiter.layer),
  Layer.provide(MasterKey.layer)
)
