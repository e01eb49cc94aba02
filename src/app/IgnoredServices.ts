import { Context, Effect, Layer } from "effect"

/** What was provided beneath the services. */
class Beneath extends Context.Service<Beneath, Context.Context<never>>()("slotkey/app/IgnoredServices/Beneath") {
  static readonly layer = Layer.effect(Beneath, Effect.context<never>())
}

/**
 * Services that stop the start where one of them was provided beneath: theirs hides it, so nothing would ask it, and no type
 * says so. Those that they take over from beneath are the same there and here.
 */
export const refusingIgnored = <A, E, R>(services: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { mapUnsafe: beneath } = yield* Beneath
    const { mapUnsafe: all } = yield* Effect.context<never>()
    const ignored = [...beneath].filter(([key, service]) => key.startsWith("slotkey/") && all.get(key) !== service)
    if (ignored.length === 0) return
    const names = ignored.map(([key]) => key.slice(key.lastIndexOf("/") + 1)).sort().join(", ")
    return yield* Effect.die(
      new Error(
        `Nothing asks the service that is provided beneath Services: ${names}. docs/embedding.md lists what may be replaced`
      )
    )
  })).pipe(Layer.provideMerge(services), Layer.provide(Beneath.layer))
