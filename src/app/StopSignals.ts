import { Cause, Effect, Exit, Runtime, type Scope } from "effect"
import cluster from "node:cluster"
import { listen as listenToPrimary, Stop, StopSignal } from "./GroupMessages.ts"

type Listener = (signal: StopSignal) => void

/**
 * Follows the signals while the scope is open: the first one stops the process, which is not done here, and each later
 * one hurries it. Answers what tells the first, if it has come.
 */
export const watch = Effect.fnUntraced(function*(
  hurry: Listener
): Effect.fn.Return<() => StopSignal | undefined, never, Scope.Scope> {
  let first: StopSignal | undefined
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      listen((signal) => {
        if (first === undefined) first = signal
        else hurry(signal)
      })
    ),
    (end) => Effect.sync(end)
  )
  return () => first
})

/**
 * Calls the listener with each signal that stops this process, before other listeners, and may begin the stop at once;
 * answers how to end that.
 *
 * A process of a group is stopped by a message of its primary alone. systemd and a terminal signal all processes at
 * once: the signal would come twice, and the second one ends the delay.
 */
const listen = (listener: Listener): () => void => {
  if (cluster.isWorker) return listenToPrimary(Stop, ({ stop }) => listener(stop))
  const listeners = StopSignal.literals.map((name) => [name, () => listener(name)] as const)
  for (const [name, onSignal] of listeners) process.prependListener(name, onSignal)
  return () => {
    for (const [name, onSignal] of listeners) process.off(name, onSignal)
  }
}

/**
 * Runs a process that serves until a signal stops it. To be stopped is what it waits for, and so its exit code is 0
 * then; a supervisor takes any other for a failure.
 */
export const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  let isStopped = false
  // They would end a process of a group that its primary has not stopped yet.
  if (cluster.isWorker) { for (const name of StopSignal.literals) process.on(name, () => {}) }
  listen(() => {
    isStopped = true
    fiber.interruptUnsafe(fiber.id)
  })
  fiber.addObserver((exit) =>
    isStopped && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
      ? process.exit(0)
      : teardown(exit, (code) => process.exit(code))
  )
})
