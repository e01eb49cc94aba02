import { Context, Effect, Layer } from "effect"

/** Work that has to be done before metrics are read: figures that nobody counts, such as the jobs in a queue. */
export class Collectors extends Context.Service<Collectors, {
  /** Adds one, which limits its own time. */
  add(collect: Effect.Effect<void>): Effect.Effect<void>
  /** Runs them all. */
  readonly collect: Effect.Effect<void>
}>()("slotkey/foundation/operator/Collectors") {
  static readonly layer: Layer.Layer<Collectors> = Layer.sync(Collectors, () => {
    const all: Array<Effect.Effect<void>> = []
    return Collectors.of({
      add: (collect) => Effect.sync(() => void all.push(collect)),
      collect: Effect.suspend(() => Effect.all(all, { concurrency: "unbounded", discard: true }))
    })
  })
}
