import { Effect, Metric, type Scope } from "effect"

/** Registers a series whose value is read when the metrics are asked for, until the scope closes. */
export const register = <Input, State>(
  metric: Metric.Metric<Input, State>,
  get: () => State
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.contextWith((context) => Effect.sync(() => Metric.registerUnsafe(metric, context, hooks(get)))),
    (registration) => Effect.sync(() => registration.remove())
  )

/** Hooks of a series that is only read. */
export const hooks = <State>(get: () => State) => ({ get, update: ignore, modify: ignore })

const ignore = () => {}
