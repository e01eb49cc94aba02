import { Effect, Layer } from "effect"
import * as Database from "../foundation/database/Database.ts"
import { WhileOpening } from "../foundation/database/WhileOpening.ts"

const load = Effect.promise(() => import("./Server.ts"))

/** A process that serves, alone or as one of several: the server over its database. It runs until it is stopped. */
export const single = <E>(...args: Parameters<typeof import("./Server.ts").server<E>>) =>
  Layer.launch(
    Layer.unwrap(Effect.map(load, ({ server }) => server(...args))).pipe(
      Layer.provide(Database.layer),
      // An embedded database takes as long to open as the server to load.
      Layer.provide(Layer.succeed(WhileOpening, Effect.asVoid(load)))
    )
  )
