import { Context, Effect, Layer } from "effect"

/** What was provided beneath the services. */
class Beneath extends Context.Service<Beneath, Context.Context<never>>()("slotkey/app/IgnoredServices/Beneath") {
  static readonly layer = Layer.effect(Beneath, Effect.context<never>())
}

/** Services of a server, which are there as well where another one is started inside of it. */
class Around extends Context.Service<Around, Context.Context<never>>()("slotkey/app/IgnoredServices/Around") {}

/**
 * Services that stop the start where one of them was provided beneath: theirs hides it, so nothing would ask it, and no
 * type says so. Those that they take over from beneath are the same there and here.
 */
export const refusingIgnored = <A, E, R>(services: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effect(
    Around,
    Effect.gen(function*() {
      const beneath = yield* Beneath
      const { mapUnsafe: around } = Context.getOrElse(beneath, Around, Context.empty)
      const all = yield* Effect.context<never>()
      const ignored = [...beneath.mapUnsafe].filter(([key, service]) =>
        key.startsWith("slotkey/") && key !== Around.key && all.mapUnsafe.get(key) !== service &&
        around.get(key) !== service
      )
      if (ignored.length === 0) return all
      const names = ignored.map(([key]) => key.slice(key.lastIndexOf("/") + 1)).sort().join(", ")
      return yield* Effect.die(
        new Error(
          `Nothing asks the service that is provided beneath Services: ${names}. docs/embedding.md lists what may be replaced`
        )
      )
    })
  ).pipe(Layer.provideMerge(services), Layer.provide(Beneath.layer))
