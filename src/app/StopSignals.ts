import { Option, Schema } from "effect"
import cluster from "node:cluster"
import { Stop, StopSignal } from "./GroupMessages.ts"

type Listener = (signal: StopSignal) => void

/**
 * Has the listener called with each signal that stops this process, before whoever listens already; answers how to end that.
 *
 * A process of a group is stopped by a message of its primary alone. Whoever sends a signal to all processes at once, as
 * systemd and a terminal do, would else have it come twice, and the second one ends the delay.
 */
export const listen = (listener: Listener): () => void => {
  if (cluster.isWorker) {
    const onMessage = (message: unknown) => {
      const stop = decode(message)
      if (Option.isSome(stop)) listener(stop.value.stop)
    }
    process.prependListener("message", onMessage)
    return () => void process.off("message", onMessage)
  }
  const listeners = StopSignal.literals.map((name) => [name, () => listener(name)] as const)
  for (const [name, onSignal] of listeners) process.prependListener(name, onSignal)
  return () => {
    for (const [name, onSignal] of listeners) process.off(name, onSignal)
  }
}

const decode = Schema.decodeUnknownOption(Stop)
