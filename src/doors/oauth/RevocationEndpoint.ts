import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ClientAuthentication } from "../../core/clients/secrets/ClientAuthentication.ts"
import { Revocation } from "../../core/tokens/Revocation.ts"
import type { CredentialsReader } from "./CredentialsReader.ts"
import { missingParameter, type ParametersReader } from "./OAuthRequest.ts"
import { successResponse } from "./OAuthResponse.ts"

/** Answers revocation requests (RFC 7009 §2); an unknown token is answered like a revoked one (RFC 7009 §2.2). */
export const revocationEndpoint = Effect.fnUntraced(function*(
  { readClient, readParameters }: { readonly readClient: CredentialsReader; readonly readParameters: ParametersReader }
) {
  const clients = yield* ClientAuthentication
  const revocation = yield* Revocation

  return Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const parameters = yield* readParameters(request)
    const attempt = yield* readClient(request, parameters)
    const client = yield* clients.authenticate(attempt)
    const token = parameters.get("token") ?? (yield* missingParameter("token"))
    yield* revocation.revoke(client, token, attempt.address)
    return successResponse({})
  })
})
