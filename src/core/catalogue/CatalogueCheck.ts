import { DateTime, Duration, Effect } from "effect"
import { builtInFile } from "../../domain/catalogue/BuiltIn.ts"
import { hashOf } from "../../domain/catalogue/file/CatalogueHash.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { type Check, degraded, failed, type Finding, ok, Readiness } from "../../foundation/operator/Readiness.ts"
import { Agreement, type Known, type Standing, standings } from "./Agreement.ts"
import { Catalogues } from "./Catalogues.ts"

/** Check that the node's own catalogue is the one in force, or the one announced. */
export const CatalogueCheck = Readiness.adding(
  Effect.map(Agreement, ({ standing }) => [{
    name: "catalogue" as const,
    probe: Effect.map(DateTime.now, (now) => findingOf(standing(), now)),
    otherwise: "failed" as const
  }])
)

/**
 * Same check for who makes it once, by what the database holds. A server that starts may bring its own catalogue, and
 * this brings none.
 */
export const storedCatalogueCheck: Effect.Effect<Check<"catalogue">, never, AppConfig | Catalogues> = Effect.gen(
  function*() {
    const { database } = yield* AppConfig
    const catalogues = yield* Catalogues
    const read = yield* standings
    const probe = Effect.gen(function*() {
      const standing = yield* read
      if (standing.inForce === undefined) return ok("No catalogue is in force yet: the first server brings its own.")
      const finding = findingOf(standing, yield* DateTime.now)
      if (finding.status !== "failed") return finding
      const start = `${finding.detail} A server with these settings`
      if (database._tag === "Embedded") return ok(`${start} puts its own into force when it starts.`)
      return standing.announced === undefined && standing.inForce.isBuiltIn &&
          isOfNewRelease(standing.own, yield* catalogues.history)
        ? degraded(`${start} announces its own when it starts, unless that widens something.`)
        : finding
    })
    return { name: "catalogue", probe, otherwise: "failed" }
  }
)

/** Tells if it is the built-in catalogue of a release that this database has not had yet. */
const isOfNewRelease = (own: string, history: ReadonlyArray<{ readonly hash: string }>): boolean =>
  own === hashOf(builtInFile()) && history.every(({ hash }) => hash !== own)

const findingOf = ({ announced, inForce, own }: Standing, now: DateTime.Utc): Finding => {
  const since = [
    ...(inForce?.inForceFrom
      ? [`In force since ${DateTime.formatIso(inForce.inForceFrom)}, by ${inForce.announcedBy}.`]
      : []),
    ...(announced === undefined
      ? []
      : [`Announced at ${DateTime.formatIso(announced.announcedAt)}, by ${announced.announcedBy}.`])
  ].join(" ")
  if (inForce?.hash !== own && announced?.hash !== own) {
    return failed(
      `This process has the catalogue ${own}, and ${inForce?.hash ?? "none"} is in force` +
        `${announced === undefined ? "" : `, ${announced.hash} announced`}. ${since}`,
      "Give it that file by CATALOGUE, or announce its own: slotkey catalogue apply (docs/catalogue.md)."
    )
  }
  if (announced === undefined) return ok(`${own} is in force. ${since}`)
  const both = inForce?.hash === own
    ? `${own} is in force, and ${announced.hash} is announced. ${since}`
    : `${own} is announced, and ${inForce?.hash} is in force. ${since}`
  return isForgotten(announced, now)
    ? degraded(
      `${both} That is more than a day ago.`,
      "If all nodes have it: slotkey catalogue finish. If it is not wanted any more: slotkey catalogue withdraw."
    )
    : ok(both)
}

/** Restarting all nodes takes less; until somebody finishes it, nothing that the new one opens is open. */
const isForgotten = ({ announcedAt }: Known, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(now, DateTime.addDuration(announcedAt, Duration.days(1)))
