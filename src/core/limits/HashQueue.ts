import { Context, Effect, Layer } from "effect"
import { networksOf } from "../../domain/CallerNetwork.ts"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { CallerAddress } from "./CallerAddress.ts"

// This room keeps one caller from using up what all share: the processor, the administrators' attention, the tables.
// The rooms above ask it before they do what is expensive or what others notice.

/** A hash that is slow on purpose, with what comes before it. It runs off this thread. */
type SlowHash<A> = () => Promise<A>

/**
 * Queue of the hashes that guard guessable secrets, and of the examination of new ones. Each takes 19 MiB and a core
 * for tens of milliseconds, so two run at a time and the others wait here.
 *
 * The networks that wait take turns, those of IPv6 by the widest that one line or server may have. So an attempt waits
 * for one hash of each other network, and for those of its own that came first, however many attempts the others have
 * sent. When the queue is full, an attempt displaces the latest one of the network that has the most.
 */
export class HashQueue extends Context.Service<HashQueue, {
  /** Runs the hash when it is the turn of this fiber's `CallerAddress`; fails when there is no room or no time. */
  run<A>(hash: SlowHash<A>): Effect.Effect<A, TemporarilyUnavailable>
}>()("slotkey/core/limits/HashQueue") {
  static readonly layer: Layer.Layer<HashQueue> = Layer.sync(HashQueue, () => {
    // In the order of their turns; no network is here without an attempt that waits.
    const waiting = new Map<string, Array<Attempt>>()
    let length = 0
    let running = 0

    const startNext = () => {
      const [turn] = waiting
      if (turn === undefined || running === slots) return
      const [network, [attempt, ...others]] = turn
      waiting.delete(network)
      if (others.length > 0) waiting.set(network, others)
      length--
      running++
      attempt?.start().finally(() => {
        running--
        startNext()
      })
    }

    const add = (network: string, attempt: Attempt) => {
      if (length === capacity && !makeRoom(network)) return attempt.refuse()
      waiting.set(network, [...waiting.get(network) ?? [], attempt])
      length++
      startNext()
    }

    const makeRoom = (newcomer: string) => {
      const [longest] = [...waiting].sort(([, a], [, b]) => b.length - a.length)
      const own = waiting.get(newcomer)?.length ?? 0
      if (longest === undefined || longest[1].length <= own + 1) return false
      longest[1].pop()?.refuse()
      length--
      return true
    }

    const remove = (network: string, attempt: Attempt) => {
      const own = waiting.get(network) ?? []
      const others = own.filter((one) => one !== attempt)
      length -= own.length - others.length
      if (others.length > 0) waiting.set(network, others)
      else waiting.delete(network)
    }

    const run = Effect.fnUntraced(
      function*<A>(hash: SlowHash<A>) {
        const [{ name: network }] = networksOf((yield* CallerAddress) ?? "none")
        return yield* Effect.callback<A, TemporarilyUnavailable>((answer) => {
          const attempt: Attempt = {
            // A hash that has begun cannot be stopped: it keeps its slot even if nobody waits for it any more.
            start: () =>
              Promise.resolve().then(hash).then((a) => answer(Effect.succeed(a)), (cause) => answer(Effect.die(cause))),
            refuse: () => answer(Effect.fail(busy))
          }
          add(network, attempt)
          return Effect.sync(() => remove(network, attempt))
        })
      },
      Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.fail(busy) })
    )

    return HashQueue.of({ run })
  })
}

interface Attempt {
  readonly start: () => Promise<void>
  readonly refuse: () => void
}

/** Hashing runs on the four threads of libuv, which DNS needs as well. */
const slots = 2

/** Attempts that may wait: two seconds of work on a slow machine. */
export const capacity = 64

/** Time after which an attempt is given up, well within the time limit of a page. */
export const timeLimit = "5 seconds"

/** There was no room or no time. */
export const busy = new TemporarilyUnavailable({ error_description: "the server is busy, try again shortly" })
