import { Schema } from "effect"
import { CatalogueFile } from "../../src/domain/catalogue/file/CatalogueFile.ts"

/** JSON Schema of a catalogue, for editors. Visual Studio Code takes comments in files whose schema allows them. */
export const catalogueSchema = () => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(CatalogueFile, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Catalogue of Slotkey",
    allowComments: true,
    ...schema,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
}
