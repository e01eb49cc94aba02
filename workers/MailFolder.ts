import { DateTime, Effect } from "effect"
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { messageOf } from "../src/domain/Cause.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { SweepError } from "../src/foundation/database/Sweep.ts"

/** Folder that holds the mails of a process without a mail server, a file for each. */
export const folderIn = (dataDir: string): string => join(dataDir, "mail")

/** Writes the file of a mail. A repeat replaces the file in one step, so that a reader never sees half of it. */
export const write = async (folder: string, id: string, message: Buffer): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${id}.eml`)
  await writeFile(`${file}.part`, message, { mode: 0o600 })
  await rename(`${file}.part`, file)
}

/**
 * Deletes the files that are as old as jobs that were done are kept, and answers their number. Files that no mailer
 * wrote stay. With SMTP_URL it deletes those from the time before it was set.
 */
export const sweep: Effect.Effect<number, SweepError, AppConfig> = Effect.gen(function*() {
  const { dataDir, jobLifetime } = yield* AppConfig
  const folder = folderIn(dataDir)
  const until = DateTime.subtractDuration(yield* DateTime.now, jobLifetime)
  return yield* Effect.tryPromise({
    try: () => deleteUntil(folder, DateTime.toEpochMillis(until)),
    catch: (cause) => new SweepError({ message: `Old mails in ${folder} cannot be deleted: ${messageOf(cause)}` })
  })
})

const deleteUntil = async (folder: string, until: number): Promise<number> => {
  let deleted = 0
  for (const name of (await unlessAbsent(readdir(folder))) ?? []) {
    if (!written.test(name)) continue
    const file = join(folder, name)
    const found = await unlessAbsent(stat(file))
    if (found === undefined || found.mtimeMs > until) continue
    await rm(file, { force: true })
    deleted++
  }
  return deleted
}

// What a process left that was killed while it wrote is among them.
const written = /^[0-9a-f]{32}\.eml(?:\.part)?$/

// Another process may delete, too, and without mails there is no folder.
const unlessAbsent = <A>(call: Promise<A>): Promise<A | undefined> =>
  call.catch((error: unknown) =>
    error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : Promise.reject(error)
  )
