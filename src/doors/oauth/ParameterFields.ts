import { Schema } from "effect"

/**
 * Request parameters by name (RFC 6749 §3.2): all of them are strings, and those without `optionalKey` are required.
 */
export type ParameterFields = Readonly<Record<string, Schema.String | Schema.optionalKey<Schema.String>>>

/** Something that brings parameters of its own: a grant type, or a client authentication method. */
interface WithParameters {
  readonly name: string
  readonly parameters?: ParameterFields
}

type NameOf<A> = A extends { readonly parameters: infer Fields } ? Extract<keyof Fields, string> : never

/**
 * Parameters of all of these as fields of one schema, each optional: a request uses one of these and not the others.
 */
export function optionalFields<const A extends WithParameters>(
  all: ReadonlyArray<A>
): { readonly [Name in NameOf<A>]: Schema.optionalKey<Schema.String> }
export function optionalFields(all: ReadonlyArray<WithParameters>): ParameterFields {
  const fields = all.flatMap(({ parameters = {} }) => Object.keys(parameters))
    .map((name) => [name, Schema.optionalKey(Schema.String)])
  return Object.fromEntries(fields)
}
