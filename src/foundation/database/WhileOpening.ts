import { Context, Effect, Layer } from "effect"

/** What the main thread does while an embedded database opens on its own; nothing, unless the process says otherwise. */
export const WhileOpening = Context.Reference<Effect.Effect<void>>("slotkey/foundation/database/WhileOpening", {
  defaultValue: () => Effect.void
})

/** Builds layers that need no database meanwhile. Who needs them later finds them built, or fails as they did. */
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
