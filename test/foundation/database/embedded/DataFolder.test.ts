import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { acquire, socketPath } from "../../../../src/foundation/database/embedded/DataFolder.ts"
import { temporaryFolder } from "../../../support/TestDatabase.ts"

const program = fileURLToPath(new URL("programs/reserve.ts", import.meta.url))

// Each process is the first of its own container, so that all have the same number, where this machine can do that.
const unshare = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child"]
const apart = (() => {
  try {
    execFileSync("unshare", [...unshare, "true"], { stdio: "ignore" })
    return ["unshare", ...unshare]
  } catch {
    return []
  }
})()

interface Racer {
  /** Reserves the folder; answers "held" or "refused". */
  readonly reserve: Effect.Effect<string>
  readonly kill: Effect.Effect<void>
}

/** A process that has started and waits for the word to reserve the folder. */
const racer = Effect.fnUntraced(function*(folder: string): Effect.fn.Return<Racer, never, Scope.Scope> {
  const [command = "", ...rest] = [...apart, process.execPath, program, folder]
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = Effect.promise(async () => String((await lines.next()).value))
  yield* line
  return {
    reserve: Effect.andThen(Effect.sync(() => child.stdin.write("go\n")), line),
    kill: Effect.promise(async () => {
      const gone = once(child, "close")
      child.kill("SIGKILL")
      await gone
    })
  }
})

const rounds = 6
const racersOfRound = 5

describe("a data folder", () => {
  it.effect("belongs to one of the processes that start at the same moment, and to the next after a SIGKILL", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      for (let round = 0; round < rounds; round++) {
        // The folder of each round was left behind by a killed process.
        const racers = yield* Effect.all(
          Array.from({ length: racersOfRound }, () => racer(folder)),
          { concurrency: "unbounded" }
        )
        const answers = yield* Effect.all(racers.map(({ reserve }) => reserve), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          [...answers].sort(),
          ["held", ...Array.from({ length: racersOfRound - 1 }, () => "refused")],
          `round ${round}`
        )
        yield* Effect.all(racers.map(({ kill }) => kill), { concurrency: "unbounded" })
      }
      yield* Effect.scoped(acquire(folder, socketPath(folder)))
    }).pipe(Effect.scoped))

  it.effect("says why it cannot be locked", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      writeFileSync(`${folder}/lock`, "no database ".repeat(100))
      const { message } = yield* Effect.flip(Effect.scoped(acquire(folder, socketPath(folder))))
      assert.include(message, "cannot be locked")
    }))
})
