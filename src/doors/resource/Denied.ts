import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { Forbidden, Unauthorized } from "../../domain/ApiError.ts"
import * as Bearer from "../../domain/Bearer.ts"
import { allOf } from "../../domain/Listed.ts"
import { type Decision, scopeList, type ScopesLacking } from "../../domain/scopes/Requirement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { refusals } from "../../foundation/http/Envelope.ts"

const fields = {
  code: Schema.String,
  message: Schema.String,
  /** Value of `WWW-Authenticate` (RFC 6750 §3). */
  challenge: Schema.String
}

/** The call needs a token, or a valid one (RFC 6750 §3.1). */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", fields) {}

/** The token does not cover the call, or no app may make it (RFC 6750 §3.1). */
export class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", fields) {}

export type Denied = TokenRefused | CallRefused

/** Same as endpoints declare them: in the error envelope, with the challenge in a header. */
export const wire = {
  tokenRefused: TokenRefused.pipe(HttpApiSchema.encodeToWithHeaders({
    body: refusals.unauthorized,
    headers: { "www-authenticate": Schema.String }
  }, {
    decode: ({ body, headers }) =>
      new TokenRefused({ code: body.code, message: body.message, challenge: headers["www-authenticate"] }),
    encode: ({ challenge, code, message }) => ({
      body: new Unauthorized({ code, message }),
      headers: { "www-authenticate": challenge }
    })
  })),
  callRefused: CallRefused.pipe(HttpApiSchema.encodeToWithHeaders({
    body: refusals.forbidden,
    headers: { "www-authenticate": Schema.String }
  }, {
    decode: ({ body, headers }) =>
      new CallRefused({ code: body.code, message: body.message, challenge: headers["www-authenticate"] }),
    encode: ({ challenge, code, message }) => ({
      body: new Forbidden({ code, message }),
      headers: { "www-authenticate": challenge }
    })
  }))
} as const

/**
 * Refusal of a token that is not valid. It names the scopes that the call needs, or the base set (RFC 6750 §3): clients
 * that ask for what the challenge names, as those of MCP do, ask for no more.
 */
export const invalidToken = (resourceMetadata: string, scope: string): TokenRefused => {
  const message = "The access token is expired, revoked or malformed"
  return new TokenRefused({
    code: "invalid_token",
    message: `${message}.`,
    challenge: Bearer.challenge({
      error: "invalid_token",
      description: message,
      scope,
      resourceMetadata
    })
  })
}

/** Refusal of a call without a token, of which nobody knows yet what it needs: it names the base set. */
export const tokenNeeded = (resourceMetadata: string, scope: string): TokenRefused =>
  new TokenRefused({
    code: "unauthorized",
    message: "This call needs an access token.",
    challenge: Bearer.challenge({ scope, resourceMetadata })
  })

/**
 * Refusal of a call that the policy does not allow. A caller without a token gets no error code (RFC 6750 §3.1). For a
 * token that lacks scopes it names those that it has as well: who asks for what the challenge names loses nothing.
 */
export const denied = (
  decision: Exclude<Decision, { _tag: "Allowed" }>,
  { hasToken, resourceMetadata, wanted }: {
    readonly hasToken: boolean
    readonly resourceMetadata: string
    /** Scopes of the token and these, as `scope` lists them. */
    readonly wanted: (scopes: ReadonlyArray<ScopeName>) => string
  }
): Denied => {
  switch (decision._tag) {
    case "TokenRequired": {
      return new TokenRefused({
        code: "unauthorized",
        message: `This call needs an access token with ${inWords(decision)}.`,
        challenge: Bearer.challenge({ scope: scopeList(decision), resourceMetadata })
      })
    }
    case "InsufficientScope": {
      const message = `This call needs ${inWords(decision)}`
      return new CallRefused({
        code: "insufficient_scope",
        message: `${message}.`,
        challenge: Bearer.challenge({
          error: "insufficient_scope",
          description: message,
          scope: wanted([decision.scope, ...decision.and ?? []]),
          resourceMetadata
        })
      })
    }
    case "Refused": {
      const description = closed[decision.reason]
      return new CallRefused({
        code: decision.reason === "malformed" ? "ambiguous_path" : "closed_to_apps",
        message: `${description}.`,
        challenge: Bearer.challenge(
          hasToken ? { error: "insufficient_scope", description, resourceMetadata } : { resourceMetadata }
        )
      })
    }
  }
}

const inWords = ({ and, scope }: ScopesLacking): string =>
  and === undefined ? `the scope ${scope}` : `the scopes ${allOf([scope, ...and])}`

const closed = {
  closed: "This operation is closed to apps, whatever their scopes",
  unlisted: "There is no operation of this method and path that an app may call",
  malformed: "The path is not written in the one way that every server reads alike"
} as const
