import { Effect, FiberSet } from "effect"

/**
 * Rate-limits log lines that outsiders can trigger. The first for a subject is a line at once; those that follow are a
 * line a minute with their number, until a minute passes without one. Beyond a thousand subjects at a time all others
 * are counted together, without a name.
 */
export const make = Effect.fnUntraced(
  function*(write: (subject: string | undefined, count: number) => Effect.Effect<void>) {
    // Later lines are not about the request that was the first.
    const run = yield* FiberSet.makeRuntime<never>()
    const counts = new Map<string | undefined, number>()

    const watch = Effect.fnUntraced(function*(subject: string | undefined) {
      for (;;) {
        yield* Effect.sleep("1 minute")
        const count = counts.get(subject) ?? 0
        if (count === 0) break
        counts.set(subject, 0)
        yield* write(subject, count)
      }
      counts.delete(subject)
    })

    return (named: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const subject = counts.has(named) || counts.size < capacity ? named : undefined
        const count = counts.get(subject)
        counts.set(subject, count === undefined ? 0 : count + 1)
        if (count !== undefined) return Effect.void
        run(watch(subject))
        return write(subject, 1)
      })
  }
)

/** Subjects that are counted at a time. */
const capacity = 1_000
