import { Effect, Stream } from "effect"
import type { ImportOptions } from "../../../../src/core/legacy/import/ImportedClient.ts"
import { rehearse as rehearseImport } from "../../../../src/core/legacy/rehearsal/LegacyRehearsal.ts"
import { builtInFile } from "../../../../src/domain/catalogue/BuiltIn.ts"
import { layer } from "../../../support/TestServer.ts"

const { scopes, ...rest } = builtInFile()

/** A scope that no app could ask for after the year before the tests. */
const notes = {
  name: "NOTES_READ",
  level: "user",
  access: "read",
  title: "See your notes",
  covers: "Lists your notes.",
  retired: { since: "1969-01-01", until: "1969-12-31" }
}

export const server = layer({ LEGACY_SCOPE_WORDS: "MAIL_READ" }, { ...rest, scopes: [...scopes, notes] })

/** What a rehearsal finds, of texts that come in these chunks. */
export const rehearse = Effect.fnUntraced(
  function*(file: string, log: Iterable<string>, options: ImportOptions = {}) {
    const rehearsal = yield* rehearseImport(Stream.make(file), Stream.fromIterable(log), options)
    return { ...rehearsal, refused: yield* Stream.runCollect(rehearsal.refused) }
  },
  Effect.scoped
)
