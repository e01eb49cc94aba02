import { Layer } from "effect"
import { Departures } from "./linked/Departures.ts"
import { Administration } from "./local/Administration.ts"
import { Deletion } from "./local/Deletion.ts"

/** Changes to whole accounts of this server with what hangs on them, over the services of clients and grants. */
export const LocalAccountServices = Layer.mergeAll(Administration.layer, Departures.layer).pipe(
  Layer.provideMerge(Deletion.layer)
)
