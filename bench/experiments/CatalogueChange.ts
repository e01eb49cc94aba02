import { Console, Effect } from "effect"
import * as Fleet from "../../test/support/catalogueChange/Fleet.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import { ProcessError } from "../Processes.ts"

/**
 * Two servers and a worker whose catalogue is changed under load: one that is announced and withdrawn, one that comes
 * into force, and the way back. Fails when one answer was another than both catalogues allow at that time.
 */
export const catalogueChange = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const fleet = yield* Fleet.make(yield* postgres.database("catalogue"))
  const { traffic } = fleet
  const step = (what: string) => Effect.andThen(fleet.goesOn, Console.log(`${total(traffic.answers)} answers: ${what}`))
  traffic.start(Math.min(options.connections, mostApps), 0)

  for (let round = 1; round <= options.rounds; round++) {
    yield* step(`round ${round}`)
    yield* fleet.announce("next")
    const [first] = fleet.servers()
    if (first !== undefined) yield* fleet.restart(first, "next")
    yield* step("announced, and one server has the next catalogue")
    for (const server of fleet.servers()) if (server.own === "next") yield* fleet.restart(server, "old")
    yield* fleet.end("withdraw", "old")
    yield* step("withdrawn")
    for (const side of ["next", "old"] as const) {
      yield* fleet.announce(side, ...(side === "old" ? ["--widen"] : []))
      for (const server of fleet.servers()) yield* fleet.restart(server, side)
      yield* fleet.restartWorker(side)
      yield* fleet.end("finish", side)
      yield* step(side === "next" ? "the next one is in force" : "back")
    }
  }
  yield* Effect.promise(() => traffic.stop())
  const dead = yield* fleet.deadLetters

  yield* Console.log(`\n| request | right | wrong |\n|---|---|---|`)
  const wrong = [...traffic.problems]
  for (const [kind, right] of [...traffic.answers].sort()) {
    const failed = wrong.filter(([problem]) => problem.startsWith(`${kind} at`))
    yield* Console.log(`| ${kind} | ${right.toLocaleString("en")} | ${total(failed)} |`)
  }
  for (const [problem, times] of wrong) yield* Console.log(`${times} x ${problem}`)
  if (wrong.length > 0 || dead > 0) {
    return yield* new ProcessError({ message: `${total(wrong)} wrong answers, ${dead} dead letters` })
  }
})

const total = (counts: Iterable<readonly [string, number]>): number =>
  [...counts].reduce((sum, [, times]) => sum + times, 0)

/** Apps at a time: each is connected in a transaction of its person, who is one. */
const mostApps = 12
