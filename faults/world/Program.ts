import { Effect, Schema, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs"

/** A program ended before it was ready. */
export class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", { message: Schema.String }) {}

/** A program of a world: it can be ended and started again at the same place. */
export interface Program {
  readonly name: string
  /** File that all its lives write to. */
  readonly log: string
  /** Starts it and waits until it is ready; an end before that is a defect, `NotStarted`. */
  readonly start: Effect.Effect<void>
  /** Starts it and does not wait. */
  readonly launch: Effect.Effect<void>
  /** Sends the signal and waits for the end. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Sends the signal to it and to its children: to stop or continue them all, or to kill them at one moment. */
  readonly signalAll: (signal: NodeJS.Signals) => Effect.Effect<void>
}

/** Ends a program, and starts it again so many seconds later. */
export const again = (program: Program, signal: NodeJS.Signals, seconds: number): Effect.Effect<void> =>
  Effect.gen(function*() {
    yield* program.end(signal)
    yield* Effect.sleep(seconds * 1000)
    yield* program.start
  })

export interface Blueprint {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  readonly cwd: string
  readonly log: string
  /** Succeeds with true once the program serves. */
  readonly ready: Effect.Effect<boolean>
}

/** A program that is not running yet; whatever it has become, it is killed when the scope closes. */
export const make = (blueprint: Blueprint): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.gen(function*() {
    let child: ChildProcess | undefined
    const runs = () => child !== undefined && child.exitCode === null && child.signalCode === null

    const launch = Effect.sync(() => {
      const log = openSync(blueprint.log, "a")
      child = spawn(blueprint.command, blueprint.args, {
        stdio: ["ignore", log, log],
        env: { ...cleanEnvironment(), ...blueprint.env },
        cwd: blueprint.cwd,
        ...blueprint.user
      })
      closeSync(log)
    })

    const start = Effect.gen(function*() {
      yield* launch
      for (let tries = 0; tries < 1_200; tries++) {
        if (!runs()) break
        if (yield* blueprint.ready) return
        yield* Effect.sleep("50 millis")
      }
      return yield* Effect.die(
        new NotStarted({
          message: `${blueprint.name} did not start:\n${readFileSync(blueprint.log, "utf8").slice(-2_000)}`
        })
      )
    })

    const end = (signal: NodeJS.Signals) =>
      Effect.promise(async () => {
        if (child === undefined || !runs()) return
        const gone = once(child, "exit")
        child.kill(signal)
        await gone
      })

    const signalAll = (signal: NodeJS.Signals) =>
      Effect.promise(async () => {
        if (child?.pid === undefined || !runs()) return
        const gone = signal === "SIGKILL" ? once(child, "exit") : undefined
        for (const pid of [child.pid, ...childrenOf(child.pid)]) send(pid, signal)
        await gone
      })

    // A stopped process does not end before it is continued, unless it is killed.
    yield* Effect.addFinalizer(() => signalAll("SIGKILL"))
    return { name: blueprint.name, log: blueprint.log, launch, start, end, signalAll }
  })

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended meanwhile.
  }
}

const childrenOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)).map(Number).filter((pid) => parentOf(pid) === parent)

const parentOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name before the last parenthesis may contain anything (proc(5)).
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return undefined
  }
}

// The settings of a server that the caller's shell may hold do not belong to the programs of a world.
const cleanEnvironment = () => ({ PATH: process.env["PATH"], HOME: process.env["HOME"], LANG: "C.UTF-8" })
