import { Schema } from "effect"
import { BrandFile } from "../../src/domain/brand/BrandFile.ts"
import { CatalogueFile } from "../../src/domain/catalogue/file/CatalogueFile.ts"

/** JSON Schema of a catalogue, for editors. */
export const catalogueSchema = () => schemaOf(CatalogueFile, "Catalogue of Slotkey")

/** JSON Schema of a file of brands, for editors. */
export const brandSchema = () => schemaOf(BrandFile, "Name and look of a Slotkey server")

/** Visual Studio Code takes comments in files whose schema allows them. */
const schemaOf = (file: Schema.Top, title: string) => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(file, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    allowComments: true,
    ...schema,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
}
