import { Effect, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict } from "../../domain/ApiError.ts"
import { hashOf } from "../../domain/catalogue/file/CatalogueHash.ts"
import { read } from "../../domain/catalogue/file/ReadCatalogue.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog, type NewEntry } from "../audit/AuditLog.ts"
import { type By, Catalogues, type Proposed, type Stored } from "./Catalogues.ts"
import { compare, type Compared, Difference, meaningOf, needsConsent, type Reach } from "./Difference.ts"
import { appsWith, Held, holders } from "./Holders.ts"

/** What it would mean to put a catalogue into force. */
export const Plan = Schema.Struct({
  inForce: Schema.String,
  proposed: Schema.String,
  ...Difference.fields,
  /** Scopes that the change concerns, and who holds them. */
  concerned: Schema.Array(Held),
  /** Reasons why it cannot be announced. */
  refusals: Schema.Array(Schema.String),
  /** It gives apps more than users have allowed. */
  widens: Schema.Boolean
})
export type Plan = typeof Plan.Type

/** Compares a catalogue to the one in force, and counts whom the change concerns; nothing is written. */
export const plan = Effect.fn("Plan.plan")(function*(proposed: Compared) {
  const { stored: _, ...judged } = yield* judge(proposed)
  const { changed, gone, narrowed, retired, revived, widened } = judged
  const callers = [...widened, ...narrowed].flatMap(({ who }): ReadonlyArray<string | null> =>
    who === "legacy" ? [null] : who === "anyone" ? [] : who
  )
  const names = [...callers, ...retired, ...revived, ...gone, ...changed.map(({ scope }) => scope)]
  return { ...judged, concerned: yield* holders([...new Set(names)]) }
})

/** Compares a catalogue to the one in force. */
export const judge = Effect.fn("Plan.judge")(function*(proposed: Compared) {
  const { before, stored } = yield* inForce
  const difference = compare(before, proposed)
  return {
    inForce: stored.hash,
    proposed: hashOf(proposed.file),
    ...difference,
    refusals: yield* refusals(proposed, difference),
    widens: difference.widened.some(needsConsent),
    stored
  }
})

/** Announces a catalogue, unless a rule forbids it. What it widens is in the trail of each app that gains by it. */
export const apply = Effect.fn("Plan.apply")(
  function*(proposed: Proposed & { readonly catalogue: Compared }, by: By, mayWiden: boolean) {
    const catalogues = yield* Catalogues
    const { announced } = yield* catalogues.current
    // Before all else: who is second has to know first whose turn it is.
    if (announced !== undefined) return yield* catalogues.announce(proposed, "", by)
    const planned = yield* judge(proposed.catalogue)
    if (planned.proposed === planned.inForce) return yield* inForceAlready
    if (planned.refusals.length > 0) return yield* refused(planned.refusals)
    const widened = planned.widened.filter(needsConsent)
    if (widened.length > 0 && !mayWiden) return yield* widens(widened)
    const details = widened.length === 0 ? {} : { widened: shortened(widened.map(sentenceOf)) }
    const stored = yield* catalogues.announce(proposed, planned.stored.id, { ...by, details })
    yield* (yield* AuditLog).recordAll(yield* entriesOf(widened, by, stored))
    return stored
  },
  (self) => Effect.flatMap(SqlClient.SqlClient, (sql) => inTransaction(sql)(self))
)

/** A widening, for people. */
export const sentenceOf = ({ reaches, what, who }: Reach): string => {
  const holder = typeof who !== "string"
    ? who.length === 0 ? "any token" : who.join(" and ")
    : who === "anyone"
    ? "who has no token"
    : "legacy apps"
  return `${holder}: ${what === "scopes" ? "covers" : what === "operations" ? "reaches" : "reaches the new"} ${
    reaches.slice(0, mostTold).join(", ")
  }${reaches.length > mostTold ? ` and ${reaches.length - mostTold} more` : ""}`
}

const mostTold = 20

const inForce = Effect.gen(function*() {
  const catalogues = yield* Catalogues
  const { inForce: stored } = yield* catalogues.current
  if (stored === undefined) return yield* noneInForce
  const text = yield* catalogues.document(stored.id)
  const before = read(Buffer.from(Option.getOrElse(text, () => "")), "The catalogue in force")
  return Result.isSuccess(before) ? { stored, before: before.success } : yield* unreadable(before.failure.message)
})

const refusals = Effect.fnUntraced(function*({ file }: Compared, { changed, gone }: Difference) {
  const history = yield* (yield* Catalogues).history
  // What was in force once may come back: who holds a scope that came later keeps its name, and it covers nothing.
  const isReturn = history.some(({ hash }) => hash === hashOf(file))
  const earlier = new Map(
    history.flatMap(({ document }) => {
      const past = read(Buffer.from(document), "A catalogue that was in force")
      return Result.isSuccess(past) ? past.success.file.scopes.map((scope) => [scope.name, scope] as const) : []
    })
  )
  const others = file.scopes.flatMap((scope) => {
    const was = earlier.get(scope.name)
    const change = was === undefined ? undefined : meaningOf(was, scope)
    return change === undefined || changed.some(({ scope: name }) => name === scope.name)
      ? []
      : [`${scope.name} was a scope before, with another meaning (${change}): make a new one.`]
  })
  return [
    ...(isReturn ? [] : gone.map((name) => `${name} is gone: retire it, so that who holds it keeps it.`)),
    ...changed.map(({ change, scope }) => `${scope} means something else (${change}): make a new scope.`),
    ...others
  ]
})

/** Entries of the trails of apps, which reviewers see. */
const entriesOf = Effect.fnUntraced(function*(widened: ReadonlyArray<Reach>, { actor }: By, { hash }: Stored) {
  const found = yield* Effect.forEach(widened, (reach) => {
    // Whatever anybody may do is no matter of one app.
    if (typeof reach.who === "string" || reach.who.length === 0) return Effect.succeed([])
    return Effect.map(appsWith(reach.who), (apps) => apps.map((clientId) => ({ clientId, reach })))
  })
  return [...Map.groupBy(found.flat(), ({ clientId }) => clientId)].map(([clientId, gains]): NewEntry => ({
    actor,
    action: "client.widened",
    clientId,
    details: { hash, widened: shortened(gains.map(({ reach }) => sentenceOf(reach))) }
  }))
})

const shortened = (sentences: ReadonlyArray<string>): string => {
  const text = sentences.join("; ")
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

/** In characters: what somebody reads in a trail. */
const longest = 1_000

const noneInForce = new Conflict({
  code: "no_catalogue",
  message: "No catalogue is in force: start a server, whose own the database takes."
})

const inForceAlready = new Conflict({ code: "catalogue_in_force", message: "This catalogue is in force." })

const unreadable = (message: string) => new Conflict({ code: "catalogue_unreadable", message })

const refused = (reasons: ReadonlyArray<string>) =>
  new Conflict({ code: "catalogue_refused", message: ["The catalogue cannot be announced:", ...reasons].join("\n  ") })

const widens = (widened: ReadonlyArray<Reach>) =>
  new Conflict({
    code: "catalogue_widens",
    message: [
      "It gives apps more than users have allowed. Make a new scope for it, or say --widen:",
      ...widened.map(sentenceOf)
    ].join("\n  ")
  })
