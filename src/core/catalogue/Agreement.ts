import { Context, Effect, Layer, Option, Result, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { Catalogue, make } from "../../domain/catalogue/Catalogue.ts"
import { hashOf } from "../../domain/catalogue/file/CatalogueHash.ts"
import { read } from "../../domain/catalogue/file/ReadCatalogue.ts"
import { none, OtherCatalogues } from "../../domain/catalogue/OtherCatalogues.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import type { AuditLog } from "../audit/AuditLog.ts"
import { Catalogues, ReadInterval, type Stored } from "./Catalogues.ts"
import { bring } from "./OwnCatalogue.ts"

/**
 * What a node knows of the catalogue in force and of the one announced, read when it starts and every few seconds.
 * While the database is away it keeps to what it knew.
 */
export class Agreement extends Context.Service<Agreement, {
  /** What was last read. */
  readonly standing: () => Standing
  /** Reads it now, if the database is there. */
  readonly refresh: Effect.Effect<void>
}>()("slotkey/core/catalogue/Agreement") {
  static readonly layerNoDeps: Layer.Layer<Agreement, never, AppConfig | AuditLog | Catalogues | SqlClient.SqlClient> =
    Layer.effect(
      Agreement,
      Effect.gen(function*() {
        const read = yield* standings
        yield* bring(yield* Catalogue)
        let standing = yield* read
        const refresh = Outages.bestEffort("The catalogue in force could not be read")(
          Effect.map(read, (now) => {
            standing = now
          })
        )
        yield* Effect.forkScoped(Effect.schedule(refresh, Schedule.spaced(ReadInterval)))
        return Agreement.of({ standing: () => standing, refresh })
      })
    )

  static readonly layer = Layer.provide(this.layerNoDeps, Catalogues.layer)

  /** Has the doors ask what the node knows. */
  static readonly layerOthers: Layer.Layer<never, never, Agreement> = Layer.effect(
    OtherCatalogues,
    Effect.map(Agreement, ({ standing }) => ({ now: () => standing().others }))
  )
}

export interface Standing {
  /** Hash of the node's own catalogue. */
  readonly own: string
  readonly inForce: Known | undefined
  readonly announced: Known | undefined
  /** Those among the two that are not the node's own. */
  readonly others: ReadonlyArray<Catalogue>
}

interface Judged {
  /** As this release computes it, so that releases that compute it in other ways agree about a file. */
  readonly hash: string
  /** Text in the database, the same for all nodes. */
  readonly document: string
  /** Absent of the node's own, and of one that this release cannot read. */
  readonly judging: Catalogue | undefined
}

export type Known = Stored & Judged

/** Makes the reader of what counts. It reads no document twice: one is as large as a file. */
export const standings: Effect.Effect<Effect.Effect<Standing>, never, Catalogues> = Effect.gen(function*() {
  const catalogues = yield* Catalogues
  const own = hashOf((yield* Catalogue).file)
  const judged = new Map<string, Judged>()

  const knownOf = Effect.fnUntraced(function*(stored: Stored | undefined) {
    if (stored === undefined) return undefined
    const before = judged.get(stored.id)
    if (before !== undefined) return { ...stored, ...before }
    const document = Option.getOrElse(yield* catalogues.document(stored.id), () => "{}")
    const found = stored.hash === own ? { hash: own, document, judging: undefined } : understood(stored, document)
    judged.set(stored.id, found)
    return { ...stored, ...found }
  })

  return Effect.gen(function*() {
    const current = yield* catalogues.current
    const both = { inForce: yield* knownOf(current.inForce), announced: yield* knownOf(current.announced) }
    const others = [both.inForce, both.announced].flatMap((other) =>
      other === undefined || other.hash === own || other.judging === undefined ? [] : [other.judging]
    )
    return { own, ...both, others: others.length === 0 ? none : others }
  })
})

const understood = ({ hash }: Stored, document: string): Judged => {
  const checked = read(Buffer.from(document), "The stored catalogue")
  if (Result.isFailure(checked)) return { hash, document, judging: undefined }
  const { file } = checked.success
  return { hash: hashOf(file), document, judging: make(file, checked.success) }
}
