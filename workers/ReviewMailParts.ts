import { isList, isReviewedField } from "../src/core/clients/records/ReviewedFields.ts"
import { inQuotes } from "../src/domain/Text.ts"
import { fieldLabels } from "../src/doors/parts/FieldLabels.ts"
import type { Change } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { inEnglish } from "../src/foundation/web/Message.ts"

// Parts of mails about the review of apps. Names stand in quotation marks and other words of developers behind marks,
// so that they cannot pass for our own.

/** Marks each line that somebody else wrote. */
export const markLines = (words: string): string =>
  words.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`).join("\n")

/** A line for each field that changed: "Website: old → new", or what was added to a list and what was taken away. */
export const changeLines = (changes: ReadonlyArray<Change>): ReadonlyArray<string> =>
  changes.flatMap(({ added, field, removed }) => {
    // The digest of a picture tells people nothing.
    if (field === "logoDigest") return ["Logo: another picture"]
    // A job of another release may have a field that this one does not know.
    const label = isReviewedField(field) ? inEnglish(fieldLabels[field]) : field
    const quote = field === "name" ? inQuotes : (value: string) => value
    if (!isReviewedField(field) || !isList(field)) {
      return [`${label}: ${quoted(removed, quote)} \u2192 ${quoted(added, quote)}`]
    }
    return [
      ...(added.length > 0 ? [`${label} added: ${added.join(", ")}`] : []),
      ...(removed.length > 0 ? [`${label} removed: ${removed.join(", ")}`] : [])
    ]
  })

const quoted = (values: ReadonlyArray<string>, quote: (value: string) => string): string =>
  values.length === 0 ? "none" : values.map(quote).join(", ")
