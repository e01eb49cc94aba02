import { Duration, Effect, Predicate } from "effect"
import { createReadStream } from "node:fs"

/**
 * Bytes of a file that a setting names, which may be a pipe; of one with more than `most`, one more than these. It is
 * read once: whatever becomes of it meanwhile, what is used is what was checked. Fails with the reason.
 */
export const contentOf = (path: string, most: number): Effect.Effect<Uint8Array, string> =>
  Effect.tryPromise({ try: (signal) => read(path, most, signal), catch: codeOf }).pipe(
    // A folder on the network can hang, and so does a pipe that nobody writes to.
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(`nothing within ${Duration.format(limit)}`) }),
    Effect.mapError((reason) => `The file cannot be read: ${reason}.`)
  )

const limit = Duration.seconds(5)

const read = async (path: string, most: number, signal: AbortSignal): Promise<Uint8Array> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of createReadStream(path, { end: most, signal })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : "it is no file of text"
