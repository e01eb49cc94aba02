import { Duration, Effect, Exit, type Scope } from "effect"
import { chmodSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Fault } from "./Fault.ts"
import * as Load from "./load/Load.ts"
import { type Kind, type Status } from "./load/Traffic.ts"
import { verify } from "./load/Verify.ts"
import type { Options } from "./Options.ts"
import { NotStarted } from "./world/Program.ts"
import type { Template } from "./world/Template.ts"
import * as World from "./world/World.ts"

/** A row of the table. */
export interface Row {
  readonly fault: Fault
  readonly seen: ReadonlyMap<Kind, ReadonlyMap<Status, number>>
  readonly answered: { readonly chains: number; readonly revocations: number; readonly decisions: number }
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<string>
  /** Seconds until every client was served again, and until notices came in time again. */
  readonly recovery: { readonly clients: number; readonly notices: number }
  /** What must never be: the row is red. */
  readonly problems: ReadonlyArray<string>
  /** What took too long, or did not come about: the row is red, unless the machine was busy with other rows. */
  readonly delays: ReadonlyArray<string>
}

export const isRed = ({ delays, problems }: Row): boolean => problems.length + delays.length > 0

/** Inflicts one fault on a world of its own, whose files are in this folder. */
export const run = (fault: Fault, template: Template, folder: string, options: Options): Effect.Effect<Row> =>
  Effect.gen(function*() {
    yield* Effect.sync(() => newFolder(folder))
    const exit = yield* inflicted(fault, template, folder, options).pipe(
      Effect.scoped,
      Effect.timeout(Duration.seconds(patience + (options.seconds ?? 0))),
      Effect.exit
    )
    if (!options.keep) yield* Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    return Exit.isSuccess(exit) ? exit.value : broken(fault, String(exit.cause))
  })

/** Seconds that a row may take beside those that were asked for; a world that stands still ends then. */
const patience = 240

const inflicted = (
  fault: Fault,
  template: Template,
  folder: string,
  options: Options
): Effect.Effect<Row, never, Scope.Scope> =>
  Effect.gen(function*() {
    const world = yield* made(fault, template, folder)
    const size = { ...(options.full ? large : small), ...fault.load }
    const load = yield* Load.start(world, size)
    const { ledger, notices, traffic } = load
    const isWarm = () =>
      ledger.revoked.length >= 3 && ledger.chains.size >= size.chains && ledger.decisions.length >= 3 && isTold(load, 0)
    yield* until(isWarm, 60)
    yield* Effect.sleep("1 second")

    const usual = notices.usual(ledger)
    const began = performance.now()
    const seconds = options.seconds ?? fault.lasts[options.full ? 1 : 0]
    yield* Effect.scoped(fault.inflict(world, seconds, load))
    const ended = performance.now()
    const struck = fault.struck?.(world) ?? true

    // All are served by requests that began after the end, and every decision from before has its notices.
    const limit = Math.max(fault.recovers.clients, fault.recovers.notices)
    yield* until(() => traffic.unserved(ended).length === 0 && isTold(load, ended), limit + 15)
    yield* Effect.sleep(options.full ? "5 seconds" : "2 seconds")
    const since = fault.recovers.from === "beginning" ? began : ended
    const unserved = traffic.unserved(ended)
    yield* load.stop
    yield* until(() => notices.missing(ledger).length === 0, limit)
    const recovery = {
      clients: unserved.length > 0 ? Infinity : traffic.recovery(since),
      notices: notices.recovery(ledger, since, usual)
    }
    yield* verify(world, load)
    const doubled = ledger.doubled.filter((story) => fault.isDoneLate !== true || !isRegistration(story))

    return {
      fault,
      seen: traffic.seen,
      answered: {
        chains: ledger.chains.size,
        revocations: ledger.revoked.length,
        decisions: ledger.decisions.length
      },
      lost: ledger.lost,
      doubled,
      unanswered: ledger.unanswered,
      recovery,
      problems: [
        ...counted(traffic.wrong),
        ...tooMany("lost", ledger.lost),
        ...tooMany("doubled", doubled)
      ],
      delays: [
        ...(struck ? [] : ["the fault did not strike"]),
        ...counted(traffic.unanswered),
        ...(fault.isUnnoticed === true ? counted(traffic.noticed) : []),
        ...tooLong("clients", recovery.clients, fault.recovers.clients),
        ...tooLong("notices", recovery.notices, fault.recovers.notices),
        ...(unserved.length > 0 ? [`never served again: ${unserved.slice(0, 5).join(", ")}`] : [])
      ]
    }
  })

/** World of a row; made once more if another program of this machine has taken a port meanwhile. */
const made = (fault: Fault, template: Template, folder: string) => {
  const attempt = (n: number) => {
    const here = join(folder, String(n))
    return Effect.andThen(Effect.sync(() => newFolder(here)), World.make(here, template, fault.world ?? {}))
  }
  return Effect.catchDefect(attempt(1), (defect) => defect instanceof NotStarted ? attempt(2) : Effect.die(defect))
}

const newFolder = (folder: string) => {
  mkdirSync(folder)
  // PostgreSQL runs as another user where this runs as root.
  chmodSync(folder, 0o777)
}

const small = { chains: 10, newcomers: 3, deciders: 1 }
const large = { chains: 40, newcomers: 8, deciders: 2 }

const isTold = ({ ledger, notices }: Load.Load, since: number) =>
  ledger.decisions.some(({ decidedAt }) => decidedAt > since) && notices.missing(ledger).length <= 3

const until = (holds: () => boolean, seconds: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const deadline = performance.now() + seconds * 1000
    const wait: Effect.Effect<void> = Effect.suspend(() =>
      holds() || performance.now() > deadline ? Effect.void : Effect.andThen(Effect.sleep("50 millis"), wait)
    )
    return wait
  })

const counted = (all: ReadonlyMap<string, number>) => [...all].map(([what, times]) => `${times} times ${what}`)

const tooMany = (what: string, all: ReadonlyArray<string>) => all.length === 0 ? [] : [`${all.length} ${what}`]

const tooLong = (what: string, seconds: number, limit: number) =>
  seconds <= limit ? [] : [`${what} after ${seconds.toFixed(1)} s instead of ${limit} s`]

const isRegistration = (story: string) => /^(?:registration of|webhook submitted) /.test(story)

/** Row of a world that fell apart. */
const broken = (fault: Fault, why: string): Row => ({
  fault,
  seen: new Map(),
  answered: { chains: 0, revocations: 0, decisions: 0 },
  lost: [],
  doubled: [],
  unanswered: [],
  recovery: { clients: Infinity, notices: Infinity },
  problems: [],
  delays: [why]
})
