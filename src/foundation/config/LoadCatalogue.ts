import { Duration, Effect, Predicate } from "effect"
import { createReadStream } from "node:fs"
import { CatalogueError } from "../../domain/catalogue/file/CatalogueProblem.ts"
import type { CheckedCatalogue } from "../../domain/catalogue/file/CatalogueRules.ts"
import { largestFile, read } from "../../domain/catalogue/file/ReadCatalogue.ts"

/**
 * Reads and checks the catalogue in a file, which may be a pipe. The file is read once: whatever becomes of it
 * meanwhile, what is used is what was checked.
 */
export const loadCatalogue = (path: string): Effect.Effect<CheckedCatalogue, CatalogueError> =>
  Effect.tryPromise({ try: (signal) => contentOf(path, signal), catch: codeOf }).pipe(
    // A folder on the network can hang, and so does a pipe that nobody writes to.
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(`nothing within ${Duration.format(limit)}`) }),
    Effect.mapError((reason) =>
      new CatalogueError({ file: path, problems: [{ place: "", problem: `The file cannot be read: ${reason}.` }] })
    ),
    Effect.flatMap((bytes) => Effect.fromResult(read(bytes, path)))
  )

const limit = Duration.seconds(5)

/** Bytes of a file, and one more than a catalogue may have of one that is too large. */
const contentOf = async (path: string, signal: AbortSignal): Promise<Uint8Array> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of createReadStream(path, { end: largestFile, signal })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : "it is no file of text"
