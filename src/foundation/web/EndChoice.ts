import { DateTime, Effect, Option } from "effect"
import type * as Input from "../../domain/Input.ts"
import { invalid } from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { type Broken, broken } from "../../domain/Rule.ts"
import { field, select } from "./FormFields.ts"
import { type Html, html, type Phrase } from "./Html.ts"
import { text } from "./Message.ts"

// The end of a credential, as a form asks for it: after some days, on a day, or never.

interface Choice {
  readonly entered: Parameters | undefined
  readonly faults: ReadonlyArray<Input.Fault>
  /** Member of the API that a mistake is about. */
  readonly path: string
  /** Choice that is made at first: a number of days, `never` or `date`. */
  readonly first: string
  /** Tells whether there may be no end. */
  readonly mayBeEndless: boolean
  /** Day that the field has at first. */
  readonly day?: string
  /** What a day means for this kind of credential. */
  readonly hint: Phrase
}

/** Fields of a form whose choice `readEnd` reads. */
export const endFields = ({ day = "", entered, faults, first, hint, mayBeEndless, path }: Choice): Html =>
  html`<div class="choices">
<div>${
    select({
      name: "ends",
      label: text("apiKeys.ends.choice"),
      options: mayBeEndless ? [endless, ...ends] : ends,
      value: entered?.get("ends") ?? first
    })
  }</div>
<div>${
    field(
      {
        name: ownDate,
        label: text("apiKeys.day"),
        type: "date",
        value: entered?.get(ownDate) ?? day,
        hint,
        required: false
      },
      faults.filter((fault) => fault.path === path).map((fault) => ({ ...fault, path: ownDate }))
    )
  }</div>
</div>`

/** End that the form asks for: some days from now, or the end of a day where the user lives; `null` for none. */
export const readEnd = Effect.fnUntraced(function*(
  fields: Parameters,
  { first, path, timeZone }: Pick<Choice, "first" | "path"> & { readonly timeZone: string }
) {
  const chosen = fields.get("ends") ?? first
  if (chosen === never) return null
  const days = Number(chosen)
  const now = yield* DateTime.now
  if (chosen !== ownDate && Number.isInteger(days) && days > 0 && days <= mostDays) return DateTime.add(now, { days })
  const bad = (found: Broken) => Effect.fail(invalid([{ path, ...found }]))
  const midnight = Option.flatMap(DateTime.make(fields.get(ownDate) ?? ""), (date) =>
    // A platform may name zones that are not known here.
    Option.orElse(
      DateTime.makeZoned(date, { timeZone, adjustForTimeZone: true }),
      () => Option.some(date)
    ))
  if (Option.isNone(midnight)) return yield* bad(broken("dateMissing"))
  // Where clocks are changed, a day has 23 or 25 hours. The end of the last day that a browser offers is beyond all
  // dates.
  const end = DateTime.make(DateTime.toEpochMillis(DateTime.add(midnight.value, { days: 1 })))
  return Option.isSome(end) ? end.value : yield* bad(broken("endTooLate"))
})

/** Choice, and the field, of a day instead of a number of days. */
export const ownDate = "date"

export const never = "never"

const mostDays = 365

const endless = [never, text("apiKeys.ends.never")] as const
const ends = [
  ["30", text("apiKeys.ends.inDays", { days: 30 })],
  ["90", text("apiKeys.ends.inDays", { days: 90 })],
  ["365", text("apiKeys.ends.inYear")],
  [ownDate, text("apiKeys.ends.onDay")]
] as const
