import { Record, Struct } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { wordsOf } from "./MemberWords.ts"

export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
}

/**
 * Shared schemas as people and generated clients meet them: under the names of the contract. The document is made with
 * a copy for each form in which a schema is used (`AccountEncoded`, `Scope_1`), and copies that say the same become
 * one. The contract has the form of a scope, and the document its names.
 */
export const sharedSchemas = (
  { names }: Catalogue,
  schemas: Readonly<Record<string, JsonSchema>>
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => {
      const name = nameOf(key)
      if (name === "Scope") return [name, { type: "string", enum: names }]
      const shared = explained(name, schema)
      return [name, openRequests.has(name) ? Struct.omit(shared, ["additionalProperties"]) : shared]
    })
  )

/** Requests whose unknown parameters are ignored (RFC 6749 §3.2); a management request may have none. */
const openRequests: ReadonlySet<string> = new Set(["TokenRequest", "AboutToken"])

/**
 * A schema in words that people need, without what only the code of this server knows. `owner` is what it is part of.
 */
export const explained = (owner: string, schema: JsonSchema): JsonSchema => {
  const { $ref, anyOf, items, properties, ...rest } = numeric(schema)
  return {
    ...rest,
    ...($ref === undefined ? {} : { $ref: `#/components/schemas/${nameOf($ref.slice($ref.lastIndexOf("/") + 1))}` }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((shape) => explained(owner, shape)) }),
    ...(items === undefined ? {} : { items: explained(owner, items) }),
    ...(properties === undefined ? {} : { properties: members(owner, properties) })
  }
}

/** Name of a shared schema: without the marks of a copy. */
const nameOf = (key: string): string => key.replace(/_\d+$/, "").replace(/Encoded$/, "")

// `_tag` is for this server's code and never sent.
const members = (owner: string, properties: Readonly<Record<string, JsonSchema>>) =>
  Record.map(Struct.omit(properties, ["_tag"]), (schema, name) => {
    const { description, isTime = false } = wordsOf(owner, name) ?? {}
    const own = explained(owner, schema)
    return { ...(description === undefined ? {} : { description }), ...(isTime ? asTime(own) : own) }
  })

const asTime = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.type === "string" ? { format: "date-time" } : {}),
  ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(asTime) })
})

/** A number without the bounds of JavaScript, and one that is written in an address as the number that it is. */
const numeric = (schema: JsonSchema): JsonSchema => {
  if (schema.type === "string" && schema.format === "int32") {
    return { ...schema, type: "integer", minimum: 1, default: Number(schema.default) }
  }
  const isUnbounded = schema.minimum === Number.MIN_SAFE_INTEGER && schema.maximum === Number.MAX_SAFE_INTEGER
  return isUnbounded ? Struct.omit(schema, ["minimum", "maximum"]) : schema
}
