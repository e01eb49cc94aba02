import { Schema } from "effect"

/** Shape of JSON in a few words, with the objects that it names. */
export interface Shape {
  readonly text: string
  /** Each object that has a name, and its fields. */
  readonly objects: ReadonlyArray<readonly [name: string, fields: string]>
}

/** Shape of what a schema encodes to. */
export const of = (schema: Schema.Top): Shape => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(Schema.toCodecJson(schema))
  const names = Object.keys(definitions).filter((name) => !isFile(name) && read(definitions[name]).type === "object")
  return {
    text: code(describe(root)),
    objects: names.map((name) => [code(nameOf(name)), code(describe(definitions[name]))])
  }
}

// Part of JSON Schema that schemas of answers use.
const JsonSchema = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  $ref: Schema.optionalKey(Schema.String),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  anyOf: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  items: Schema.optionalKey(Schema.Unknown),
  properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  additionalProperties: Schema.optionalKey(Schema.Unknown)
})

const read = Schema.decodeUnknownSync(JsonSchema)

const describe = (schema: unknown): string => {
  const { $ref, additionalProperties, anyOf, enum: values, items, properties, type } = read(schema)
  if ($ref !== undefined && isFile($ref)) return "a catalogue (docs/catalogue.md)"
  if ($ref !== undefined) return /\/Scope(?:Name)?$/.test($ref) ? "scope" : nameOf($ref)
  if (anyOf !== undefined) return [...new Set(anyOf.map(describe))].join(" or ")
  if (values !== undefined) return values.map((value) => `"${value}"`).join(" or ")
  if (items !== undefined) return `[${describe(items)}, …]`
  if (properties !== undefined) {
    return `{ ${Object.entries(properties).map(([name, field]) => `${name}: ${describe(field)}`).join(", ")} }`
  }
  return type === "object" ? `{ name: ${describe(additionalProperties)}, … }` : type ?? "any"
}

/** A file has a page of its own. */
const isFile = (ref: string): boolean => nameOf(ref) === "CatalogueFile"

const nameOf = (ref: string): string => ref.replace(/^.*\//, "").replace(/Encoded$/, "")

const code = (text: string): string => `\`${text}\``
