import { Console, Effect, FileSystem, Layer } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { LocalAccounts } from "../../core/accounts/LocalAccounts.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { GrantStore } from "../../core/grants/GrantStore.ts"
import type { Plan } from "../../core/legacy/import/ImportPlan.ts"
import { LegacyImport } from "../../core/legacy/import/LegacyImport.ts"
import { ImportedTokens } from "../../core/tokens/ImportedTokens.ts"
import { BadRequest } from "../../domain/ApiError.ts"
import { actor, Infrastructure } from "./Services.ts"

const ImportServices = LegacyImport.layer.pipe(
  Layer.provide([GrantStore.layer, ImportedTokens.layer, LocalAccounts]),
  Layer.provide(StoredClients),
  Layer.provide(Infrastructure)
)

/** `slotkey import-legacy FILE` */
export const importLegacy = Command.make(
  "import-legacy",
  {
    file: Argument.String("file").pipe(Argument.withDescription("CSV or JSON lines, as the README describes them")),
    apply: Flag.Boolean("apply").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Write; without it nothing is written, and the report tells what would be")
    )
  },
  Effect.fnUntraced(function*({ apply, file }) {
    const text = yield* (yield* FileSystem.FileSystem).readFileString(file).pipe(
      Effect.mapError(() => new BadRequest({ code: "file_unreadable", message: `The file ${file} cannot be read.` }))
    )
    const imports = yield* LegacyImport
    const plan = yield* (apply ? imports.apply(text, actor) : imports.inspect(text))
    for (const { clientId, line, text } of plan.findings) {
      yield* Console.log(`line ${line}\t${clientId}\t${text}`)
    }
    yield* Console.log(summary(plan, apply))
    if (plan.findings.some(({ kind }) => kind === "wrong")) {
      return yield* new BadRequest({ code: "import_unfit", message: "Some lines do not fit: mend them first." })
    }
  })
).pipe(
  Command.withDescription("Take over the legacy apps of another server; shows what it would do unless --apply"),
  Command.provide(ImportServices)
)

const summary = ({ clients, findings, secrets, tokens }: Plan, applied: boolean): string => {
  const count = (kind: string) => findings.filter((finding) => finding.kind === kind).length
  const what = `${clients.length} apps, ${secrets.length} secrets, ${tokens.length} refresh tokens`
  return applied
    ? `Imported: ${what}. There already: ${count("there")} lines.`
    : `Nothing was written. To import with --apply: ${what}. There already: ${count("there")} lines. Wrong: ${
      count("wrong")
    } lines.`
}
