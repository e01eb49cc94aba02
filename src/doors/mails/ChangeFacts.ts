import { madeRequired } from "../../core/clients/life/ChangeDiff.ts"
import { isList, isReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import type { Change } from "../../foundation/jobs/kinds/ReviewNotice.ts"
import { html, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { fieldLabels } from "../parts/FieldLabels.ts"
import { type Fact, fact } from "./Mail.ts"
import { appName } from "./MailParts.ts"

/** What changed of an app: a value and its successor, or what was added to a list and what was taken away. */
export const changeFacts = (changes: ReadonlyArray<Change>): ReadonlyArray<Fact> =>
  changes.flatMap(({ added, field, removed }) => {
    const some = (label: Phrase, values: ReadonlyArray<string>) =>
      values.length > 0 ? [fact(label, shown(field, values))] : []
    // The digest of a picture tells people nothing.
    if (field === "logoDigest") return [fact(fieldLabels.logoUrl, text("mail.change.picture"))]
    // What this list loses is what users have to give.
    if (field === "optionalScopes") {
      return [
        ...some(text("mail.change.optional"), added),
        ...some(text("mail.change.required"), madeRequired(changes))
      ]
    }
    // A job of another release may have a field that this one does not know.
    const label = isReviewedField(field) ? fieldLabels[field] : field
    if (!isReviewedField(field) || !isList(field)) {
      return [fact(label, text("mail.change.values", { before: shown(field, removed), after: shown(field, added) }))]
    }
    return [
      ...some(text("mail.change.added", { label }), added),
      ...some(text("mail.change.removed", { label }), removed)
    ]
  })

const shown = (field: string, values: ReadonlyArray<string>): Phrase =>
  values.length === 0
    ? text("mail.change.none")
    : listText(values.map((value) => field === "name" ? appName({ name: value }) : html`<bdi>${value}</bdi>`))
