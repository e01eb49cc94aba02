import { Effect, Layer, Stream } from "effect"
import type { ImportOptions } from "../../../../src/core/legacy/import/ImportedClient.ts"
import { LegacyRehearsal } from "../../../../src/core/legacy/rehearsal/LegacyRehearsal.ts"
import { layer } from "../../../support/TestServer.ts"

/** Whole server, with the rehearsal that only the command line has. */
export const server = LegacyRehearsal.layer.pipe(Layer.provideMerge(layer({ LEGACY_SCOPE_WORDS: "MAIL_READ" })))

/** What a rehearsal finds, of texts that come in these chunks. */
export const rehearse = Effect.fnUntraced(
  function*(file: string, log: Iterable<string>, options: ImportOptions = {}) {
    const { rehearse } = yield* LegacyRehearsal
    const rehearsal = yield* rehearse(Stream.make(file), Stream.fromIterable(log), options)
    return { ...rehearsal, refused: yield* Stream.runCollect(rehearsal.refused) }
  },
  Effect.scoped
)
