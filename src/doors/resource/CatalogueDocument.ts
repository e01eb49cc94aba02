import { Schema } from "effect"

const File = (description: string) => Schema.Record(Schema.String, Schema.Unknown).annotate({ description })

/** Catalogues by which the server judges calls; what is in each says `catalogue.schema.json` (docs/catalogue.md). */
export const CatalogueDocument = Schema.Struct({
  in_force: File("The catalogue in force, as its file has it."),
  announced: Schema.optionalKey(File("The one that is announced: a call must satisfy both."))
}).annotate({ identifier: "Catalogues" })

/** A well-known address (RFC 8615), so that a gateway that lets the metadata through lets this through as well. */
export const cataloguePath = "/.well-known/slotkey-catalogue"
