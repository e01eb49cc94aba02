import { Effect, Stream } from "effect"
import type { ImportOptions } from "../../../../src/core/legacy/import/ImportedClient.ts"
import { rehearse as rehearseImport } from "../../../../src/core/legacy/rehearsal/LegacyRehearsal.ts"
import { layer } from "../../../support/TestServer.ts"

export const server = layer({ LEGACY_SCOPE_WORDS: "MAIL_READ" })

/** What a rehearsal finds, of texts that come in these chunks. */
export const rehearse = Effect.fnUntraced(
  function*(file: string, log: Iterable<string>, options: ImportOptions = {}) {
    const rehearsal = yield* rehearseImport(Stream.make(file), Stream.fromIterable(log), options)
    return { ...rehearsal, refused: yield* Stream.runCollect(rehearsal.refused) }
  },
  Effect.scoped
)
