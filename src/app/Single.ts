import { Effect, Layer } from "effect"
import * as Database from "../foundation/database/Database.ts"
import * as WhileOpening from "../foundation/database/embedded/WhileOpening.ts"

const load = Effect.promise(() => import("./Server.ts"))

/** A process that serves, alone or as one of several: the server over its database. It runs until it is stopped. */
export const single = <E>(...args: Parameters<typeof import("./Server.ts").server<E>>) =>
  Layer.launch(
    Layer.unwrap(Effect.map(load, ({ server }) => server(...args))).pipe(
      Layer.provide(Database.layer),
      // An embedded database takes longer to open than the server takes to load.
      Layer.provide(WhileOpening.building(Effect.map(load, ({ WithoutDatabase }) => WithoutDatabase)))
    )
  )
