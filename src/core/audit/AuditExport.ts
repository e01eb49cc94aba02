import { DateTime, Duration, Effect, Schema } from "effect"
import { mkdir, open, rename } from "node:fs/promises"
import { join } from "node:path"
import { messageOf } from "../../domain/Cause.ts"
import { SweepError } from "../../foundation/database/Sweep.ts"
import { Entry } from "./AuditLog.ts"

/**
 * Makes a writer of files of JSON lines, `audit-<day>-<first id>.jsonl`, each with entries of one day. It succeeds once
 * a file is on the disk, or fails after six seconds. The same entries give the same file, which replaces an earlier one
 * whole.
 */
export const make = (folder: string) => {
  const failed = (reason: string) =>
    new SweepError({ message: `The audit log cannot be written to ${folder}, so none of it is deleted: ${reason}` })
  // A file that hangs keeps one of the four threads that Node has for files and host names: no second one may.
  let unfinished: Promise<void> | undefined
  return Effect.fnUntraced(function*(entries: ReadonlyArray<Entry>): Effect.fn.Return<void, SweepError> {
    const [first] = entries
    if (first === undefined) return
    // Ids have up to 19 digits: names sort as the entries do.
    const name = `audit-${DateTime.formatIsoDateUtc(first.at)}-${first.id.padStart(19, "0")}.jsonl`
    const lines = entries.map((entry) => `${JSON.stringify(encode(entry))}\n`).join("")
    if (unfinished !== undefined) return yield* failed("an earlier file is not finished yet")
    yield* Effect.tryPromise({
      try: () => {
        unfinished = replace(folder, name, lines).finally(() => {
          unfinished = undefined
        })
        return unfinished
      },
      catch: (cause) => failed(messageOf(cause))
    }).pipe(
      Effect.timeoutOrElse({ duration: limit, orElse: () => failed(`it takes more than ${Duration.format(limit)}`) })
    )
  })
}

// A folder on the network can hang for good, and PostgreSQL ends a transaction that idles for eight seconds. A thousand
// lines take milliseconds.
const limit = Duration.seconds(6)

const encode = Schema.encodeSync(Entry)

const replace = async (folder: string, name: string, text: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${name}`)
  const file = await open(draft, "w", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, name))
  await syncFolder(folder)
}

// The name of a file is part of its folder, which has to reach the disk, too.
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
