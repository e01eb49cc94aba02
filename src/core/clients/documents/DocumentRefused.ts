import { Schema } from "effect"
import { Broken } from "../../../domain/Rule.ts"

/** An app cannot be known by the document at its `client_id`. People read why; no app is redirected to. */
export class DocumentRefused extends Schema.TaggedError<DocumentRefused>()("DocumentRefused", {
  /** Goes on from the name of the field, or from words such as “The document” where it is about the whole. */
  reason: Broken,
  /** Member of the document at fault, such as `redirect_uris.0`. */
  field: Schema.optionalKey(Schema.String)
}) {}
