import { Context, Effect, Layer } from "effect"

/** Work of the main thread while an embedded database opens on its own; none, unless the process says otherwise. */
export const WhileOpening = Context.Reference<Effect.Effect<void>>(
  "slotkey/foundation/database/embedded/WhileOpening",
  {
    defaultValue: () => Effect.void
  }
)

/**
 * Meanwhile builds layers that need no database. A later user finds the layer built, or builds it again if that failed.
 */
export const building = <A, E>(layers: Effect.Effect<Layer.Layer<A, E>>): Layer.Layer<never> =>
  Layer.fromBuild((memoMap, scope) =>
    Effect.succeed(Context.make(
      WhileOpening,
      layers.pipe(
        Effect.flatMap((layers) => Layer.buildWithMemoMap(layers, memoMap, scope)),
        Effect.exit,
        Effect.asVoid
      )
    ))
  )
