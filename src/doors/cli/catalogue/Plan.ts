import { Effect } from "effect"
import type { Difference } from "../../../core/catalogue/Difference.ts"
import { needsConsent } from "../../../core/catalogue/Difference.ts"
import * as Planned from "../../../core/catalogue/Plan.ts"
import { BadRequest, Conflict } from "../../../domain/ApiError.ts"
import { counted } from "../../../domain/Counted.ts"
import { file } from "./Asked.ts"
import { command, proposed } from "./Proposed.ts"

/** `slotkey catalogue plan` */
export const plan = command({
  name: "plan",
  description:
    "Say what another catalogue would change, for apps and users; nothing is written. Fails if `apply` would",
  examples: [
    ["catalogue plan slotkey.catalogue.json", "Before it is applied"],
    ["catalogue plan --json", "What the catalogue of these settings would change, for a program"]
  ],
  input: { file },
  answer: Planned.Plan,
  run: Effect.fnUntraced(function*({ file }) {
    const { catalogue } = yield* proposed(file)
    return yield* Planned.plan(catalogue)
  }),
  lines: (planned) => [
    planned.inForce === planned.proposed
      ? `${planned.proposed} is in force.`
      : `${planned.inForce} is in force. ${planned.proposed} would change:`,
    ...(planned.inForce === planned.proposed ? [] : linesOf(planned)),
    ...planned.concerned.map(({ apps, grants, scope }) =>
      `  ${scope ?? "all (legacy)"}: ${counted(apps, "app")} may ask for it, held by ${
        grants === null ? "an unknown number of live grants" : counted(grants, "live grant")
      }`
    ),
    ...(planned.concerned.some(({ grants }) => grants === null) ? [`  ${uncounted}`] : []),
    ...planned.refusals.map((reason) => `  refused: ${reason}`)
  ],
  verdict: ({ refusals, widens }) => refusals.length > 0 ? refused : widens ? needsLeave : undefined
})

/** A line for each thing that differs. */
const linesOf = (difference: Difference): ReadonlyArray<string> => {
  const { added, changed, gone, narrowed, operations, retired, revived, texts, widened } = difference
  const lines = [
    ...named("added", added),
    ...named("retired", retired),
    ...named("no longer retired", revived),
    ...named("gone", gone),
    ...changed.map(({ change, scope }) => `another meaning: ${scope}, ${change}`),
    ...named("other words", texts),
    ...operations.map(({ after, before, operation }) => `${operation}: ${before} → ${after}`),
    ...widened.map((reach) => `${needsConsent(reach) ? "WIDER" : "wider, as ever"}: ${Planned.sentenceOf(reach)}`),
    ...narrowed.map((reach) => `no more: ${Planned.sentenceOf(reach)}`)
  ]
  return (lines.length === 0 ? ["nothing but the order of pages and answers"] : lines).map((line) => `  ${line}`)
}

const named = (what: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0 ? [] : [`${what}: ${names.join(", ")}`]

const uncounted =
  "Grants were not counted: there are so many that it takes longer than IMPORT_TIMEOUT. Set it higher, " +
  "for this command alone, to know their number; all else is complete."

const refused = new BadRequest({ code: "catalogue_refused", message: "The catalogue cannot be announced." })

const needsLeave = new Conflict({ code: "catalogue_widens", message: "To apply it, say --widen." })
