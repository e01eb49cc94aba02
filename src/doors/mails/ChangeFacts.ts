import { madeRequired } from "../../core/clients/life/ChangeDiff.ts"
import { isReviewedField } from "../../core/clients/records/ReviewedFields.ts"
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
    // The digest of a picture tells people nothing.
    if (field === "logoDigest") return [fact(fieldLabels.logoUrl, text("mail.change.picture"))]
    // A job of another release may have a field that this one does not know.
    const label = isReviewedField(field) ? fieldLabels[field] : field
    const shown = (values: ReadonlyArray<string>): Phrase =>
      values.length === 0
        ? text("mail.change.none")
        : listText(values.map((value) => field === "name" ? appName({ name: value }) : html`<bdi>${value}</bdi>`))
    if (!isList(field)) {
      return [fact(label, text("mail.change.values", { before: shown(removed), after: shown(added) }))]
    }
    const gone = field === "optionalScopes" ? madeRequired(changes) : removed
    return [
      ...(added.length > 0 ? [fact(lists[field].added, shown(added))] : []),
      ...(gone.length > 0 ? [fact(lists[field].removed, shown(gone))] : [])
    ]
  })

const lists = {
  redirectUris: {
    added: text("mail.change.redirectUris.added"),
    removed: text("mail.change.redirectUris.removed")
  },
  scopes: { added: text("mail.change.scopes.added"), removed: text("mail.change.scopes.removed") },
  // What this list loses is what users have to give.
  optionalScopes: { added: text("mail.change.optional"), removed: text("mail.change.required") }
} as const

const isList = (field: string): field is keyof typeof lists => Object.hasOwn(lists, field)
