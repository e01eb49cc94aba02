// @effect-diagnostics strictEffectProvide:off
import { NodeRuntime } from "@effect/platform-node"
import { PGlite } from "@electric-sql/pglite"
import { Console, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { image } from "../../src/foundation/database/embedded/EmptyDatabase.ts"
import * as JobTables from "../../src/foundation/jobs/queue/JobTables.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/**
 * Makes the image from which embedded databases start: `npm run image`, after an update of PGlite and before a release
 * with new migrations. Needs `tar` and `bash`.
 */
const makeImage = Effect.scoped(Effect.gen(function*() {
  const folder = yield* TestDatabase.temporaryFolder
  const data = join(folder, "db")
  mkdirSync(data)

  // Files of the log are 16 MB by default, most of the image. Databases that are templates would be three quarters of
  // the rest, and an embedded server makes no other database.
  yield* withPGlite(
    data,
    `
    UPDATE pg_database SET datistemplate = false;
    DROP DATABASE template0;
    DROP DATABASE template1;
  `
  )
  yield* Effect.provide(JobTables.migrate, migrated(folder), { local: true })
  yield* withPGlite(data, "VACUUM FULL; VACUUM FREEZE ANALYZE; CHECKPOINT;")

  const tar = join(folder, "image.tar")
  execFileSync("bash", ["-c", archive, "archive", tar], { cwd: data })
  const content = readFileSync(tar)
  writeFileSync(image, compressed(content))
  yield* Console.log(`${image}: ${readFileSync(image).length} bytes, ${content.length} unpacked`)
}))

const withPGlite = (dataDir: string, statements: string) =>
  Effect.promise(async () => {
    const database = await PGlite.create({
      dataDir,
      initDbStartParams: ["--wal-segsize=1"],
      // The log before a checkpoint goes, instead of being kept for later use.
      startParams: [...PGlite.defaultStartParams, "-c", "wal_recycle=off", "-c", "min_wal_size=2MB"]
    })
    for (const statement of statements.split(";").filter((one) => one.trim() !== "")) await database.exec(statement)
    await database.close()
  })

const migrated = (folder: string) => Layer.provideMerge(Database.layer, AppConfig.layerTest({ DATA_DIR: folder }))

// The file by which PGlite knows a database comes last: where it is, all others are.
const archive = `{ find . -mindepth 1 ! -path ./PG_VERSION | LC_ALL=C sort; echo ./PG_VERSION; } |
  tar --format=ustar --no-recursion --owner=0 --group=0 --mtime=@0 -T - -cf "$1"`

const compressed = (content: Uint8Array) =>
  brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length
    }
  })

NodeRuntime.runMain(makeImage)
