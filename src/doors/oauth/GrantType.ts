import { type Effect, type Schema, SchemaAST } from "effect"
import type { AuthenticationAttempt } from "../../core/clients/secrets/ClientAuthentication.ts"
import type { TokenIssuer } from "../../core/tokens/TokenIssuer.ts"
import type { TokenResponse } from "../../core/tokens/TokenResponse.ts"
import type { TokenError } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import type { ParameterFields } from "./ParameterFields.ts"

/**
 * A grant type of the token endpoint (RFC 6749 §1.3). Each is a file in `grantTypes/` and a line in `GrantTypes`; the
 * token endpoint, the reader of JSON bodies, the metadata, the OpenAPI document and the refusal of other grant types
 * derive from that list. The files import no service, because the contract reads them.
 */
export interface GrantType<Name extends string = string, Fields extends ParameterFields = ParameterFields> {
  /** Value of `grant_type`. */
  readonly name: Name
  /** Parameters beside `grant_type` and the client's credentials. */
  readonly parameters: Fields
  /** Handler of its requests, made once when the server starts. */
  handler(issuer: TokenIssuer["Service"]): GrantHandler
}

/** Answers a request of one grant type; a request that lacks a required parameter is left to `onMissing`. */
type GrantHandler = <E>(
  client: AuthenticationAttempt,
  parameters: Parameters,
  onMissing: (client: AuthenticationAttempt, name: string) => Effect.Effect<never, E>
) => Effect.Effect<TokenResponse, E | GrantError>

type GrantError = TokenError | TooManyAttempts

/** Makes a grant type whose `respond` gets its parameters by name; the required ones are there. */
export const make = <const Name extends string, const Fields extends ParameterFields>(
  { name, parameters: fields, respond }: {
    readonly name: Name
    readonly parameters: Fields
    readonly respond: (
      issuer: TokenIssuer["Service"],
      client: AuthenticationAttempt,
      parameters: Schema.Struct.Type<Fields>
    ) => Effect.Effect<TokenResponse, GrantError>
  }
): GrantType<Name, Fields> => {
  const required = Object.entries(fields).flatMap(([name, { ast }]) => SchemaAST.isOptional(ast) ? [] : [name])
  const values = valuesOf(fields)
  return {
    name,
    parameters: fields,
    handler: (issuer) => (client, parameters, onMissing) => {
      const missing = required.find((name) => !parameters.has(name))
      return missing === undefined ? respond(issuer, client, values(parameters)) : onMissing(client, missing)
    }
  }
}

/** Picks the parameters of a grant type. They are strings already and complete, so they need no decoding. */
function valuesOf<Fields extends ParameterFields>(
  fields: Fields
): (parameters: Parameters) => Schema.Struct.Type<Fields>
function valuesOf(fields: ParameterFields): (parameters: Parameters) => Readonly<Record<string, string>> {
  const names = Object.keys(fields)
  return (parameters) => {
    const values: Record<string, string> = {}
    for (const name of names) {
      const value = parameters.get(name)
      if (value !== undefined) values[name] = value
    }
    return values
  }
}
