import { Schema } from "effect"
import { type ReviewedField, reviewedFieldNames, type ReviewedVersion } from "../records/ReviewedFields.ts"

/** One field in which two versions differ. */
export const Difference = Schema.Struct({
  field: Schema.Literals(reviewedFieldNames),
  removed: Schema.Array(Schema.String),
  added: Schema.Array(Schema.String)
}).annotate({ identifier: "Difference" })
export type Difference = typeof Difference.Type

/** Fields in which `to` differs from `from`: they are what a reviewer has to look at. */
export const differences = (from: ReviewedVersion, to: ReviewedVersion): ReadonlyArray<Difference> =>
  reviewedFieldNames.flatMap((field) => {
    const [before, after] = [values(from[field]), values(to[field])]
    const removed = before.filter((value) => !after.includes(value))
    const added = after.filter((value) => !before.includes(value))
    return removed.length + added.length > 0 ? [{ field, removed, added }] : []
  })

/**
 * Scopes that users have to give once a change holds, and may decline until then: they lose their marks as optional and
 * stay. The mark of one that goes means nothing more.
 */
export const madeRequired = (
  changes: ReadonlyArray<{ readonly field: string; readonly removed: ReadonlyArray<string> }>
): ReadonlyArray<string> => {
  const removedFrom = (field: ReviewedField) => changes.find((change) => change.field === field)?.removed ?? []
  return removedFrom("optionalScopes").filter((scope) => !removedFrom("scopes").includes(scope))
}

/**
 * Differences as the audit trail keeps them: by field, a line `-old` for each value removed, then a line `+new` for
 * each added.
 */
export const summary = (from: ReviewedVersion, to: ReviewedVersion): Record<string, string> =>
  Object.fromEntries(
    differences(from, to).map(({ added, field, removed }) => [
      field,
      [...removed.map((value) => `-${value}`), ...added.map((value) => `+${value}`)].join("\n")
    ])
  )

/** The items of such a summary with their marks. No value of an app has more than one line. */
export const summaryItems = (text: string): ReadonlyArray<string> => text.split("\n")

const values = (value: string | null | ReadonlyArray<string>): ReadonlyArray<string> =>
  value === null ? [] : typeof value === "string" ? [value] : value
