// @effect-diagnostics strictEffectProvide:off
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import * as Testing from "../../../src/testing.ts"
import { slotkey } from "../../support/Cli.ts"
import * as EmbeddedPool from "../../support/EmbeddedPool.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** Commands beside a server: on the PostgreSQL server of the suites if there is one, else on an embedded database. */
const beside = Effect.gen(function*() {
  const url = yield* TestDatabase.temporaryServerUrl
  const { database, place } = url === undefined
    ? yield* Effect.map(
      EmbeddedPool.folder,
      (folder) => ({ database: EmbeddedPool.at(folder), place: { DATA_DIR: folder } })
    )
    : { database: TestDatabase.at(Redacted.value(url)), place: { DATABASE_URL: Redacted.value(url) } }
  // The acts of operators would be in the output otherwise, where there is a server.
  const env = { LOG_LEVEL: "warn", MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"), ...place }
  const run = (...args: ReadonlyArray<string>) => slotkey(args, { env })
  /** Answer of a command with `--json`, which must succeed and print nothing else. */
  const json = (...args: ReadonlyArray<string>) =>
    Effect.map(run(...args, "--json"), ({ code, stderr, stdout }) => {
      assert.deepStrictEqual([code, stderr], [0, ""])
      return JSON.parse(stdout)
    })
  return { database, commands: { env, run, json } }
})

export type Commands = Effect.Success<typeof beside>["commands"]

/** Runs a test with a server, whose services it may use, and with commands beside it. */
export const besideServer = <A, E, R>(test: (commands: Commands) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(beside, ({ commands, database }) =>
    test(commands).pipe(
      Effect.provide(
        Layer.merge(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(database))
      )
    ))
