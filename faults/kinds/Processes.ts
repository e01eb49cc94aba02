import type { Fault } from "../Fault.ts"
import { again, type Program } from "../world/Program.ts"
import type { World } from "../world/World.ts"

// Processes die, or are restarted by their operator.

const ended = (name: string, what: string, signal: NodeJS.Signals, program: (world: World) => Program): Fault => ({
  name,
  what,
  lasts: [1, 10],
  recovers: { from: "end", clients: 10, notices: 15 },
  inflict: (world, seconds) => again(program(world), signal, seconds)
})

export const processes: ReadonlyArray<Fault> = [
  ended("killed-server", "a server is killed (SIGKILL) and starts again", "SIGKILL", ({ nodes }) => nodes[0].process),
  ended("restarted-server", "a server is restarted (SIGTERM)", "SIGTERM", ({ nodes }) => nodes[0].process),
  ended("killed-worker", "the worker is killed (SIGKILL) and starts again", "SIGKILL", ({ worker }) => worker.process),
  ended("restarted-worker", "the worker is restarted (SIGTERM)", "SIGTERM", ({ worker }) => worker.process)
]
