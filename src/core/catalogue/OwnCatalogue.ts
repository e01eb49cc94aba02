import { Effect, Result } from "effect"
import { builtInFile } from "../../domain/catalogue/BuiltIn.ts"
import type { CatalogueFile } from "../../domain/catalogue/file/CatalogueFile.ts"
import { hashOf } from "../../domain/catalogue/file/CatalogueHash.ts"
import { check } from "../../domain/catalogue/file/CatalogueRules.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { Catalogues, server } from "./Catalogues.ts"
import { apply, plan, sentenceOf } from "./Plan.ts"

/**
 * What a process does with its own catalogue when it starts. An empty database takes it. A server that is all there is,
 * with its database inside, puts it into force whatever it changes, and says so. A release brings its built-in one, if
 * that was never there and widens nothing; all else is the operator's to decide.
 */
export const bring = Effect.fn("OwnCatalogue.bring")(function*(file: CatalogueFile) {
  const catalogues = yield* Catalogues
  const own = hashOf(file)
  const isBuiltIn = own === hashOf(builtInFile())
  const proposed = { file, isBuiltIn }
  const { announced, inForce } = yield* catalogues.current
  if (inForce === undefined) return yield* catalogues.adopt(proposed)
  if (inForce.hash === own || announced?.hash === own) return
  const { database } = yield* AppConfig
  if (database._tag === "Embedded") return yield* replace(proposed)
  if (!isBuiltIn || !inForce.isBuiltIn) return
  yield* announceBuiltIn(file)
})

const replace = Effect.fnUntraced(function*(proposed: { readonly file: CatalogueFile; readonly isBuiltIn: boolean }) {
  const catalogues = yield* Catalogues
  const planned = yield* Effect.result(plan(yield* checked(proposed.file)))
  const { announced, inForce } = yield* catalogues.current
  if (inForce === undefined) return
  const widened = Result.isSuccess(planned) ? planned.success.widened.map(sentenceOf) : []
  const alone = { ...server, atOnce: true }
  if (announced !== undefined) yield* catalogues.withdraw(alone)
  yield* catalogues.announce(proposed, inForce.id, alone)
  yield* catalogues.finish(alone)
  yield* Effect.logInfo("Another catalogue is in force").pipe(
    Effect.annotateLogs({
      catalogue: hashOf(proposed.file),
      before: inForce.hash,
      ...(Result.isSuccess(planned)
        ? { added: planned.success.added.join(" "), gone: planned.success.gone.join(" ") }
        : {}),
      widened: widened.join("; ")
    })
  )
}, (self) => Effect.orDie(self))

const announceBuiltIn = Effect.fnUntraced(function*(file: CatalogueFile) {
  const { history } = yield* Catalogues
  // Of a release that goes back, the catalogue was in force before: then the newer one stays until somebody decides.
  if ((yield* history).some(({ hash }) => hash === hashOf(file))) return
  const catalogue = yield* checked(file)
  const result = yield* Effect.result(apply({ file, isBuiltIn: true, catalogue }, server, false))
  yield* Result.isSuccess(result)
    ? Effect.logInfo("The catalogue of this release is announced: when all nodes run it, slotkey catalogue finish")
    : Effect.logWarning("The catalogue of this release is not the one in force").pipe(
      Effect.annotateLogs({ reason: result.failure.message })
    )
})

/** The catalogue of a process was checked when it was loaded. */
const checked = (file: CatalogueFile) => Effect.orDie(Effect.fromResult(check(file)))
