import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { supersededReason } from "../../core/grants/RefreshRotation.ts"
import type { LegacyCalls } from "../../core/legacy/migration/LegacyCalls.ts"
import { ClientId } from "../../domain/Ids.ts"
import { reasonOf, type TokenError } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import type { CredentialsReader } from "./CredentialsReader.ts"

/** Records for the owner of an app why its token request was refused, except for faults of the server. */
export const recordRefusedRequest = (
  refusedRequests: RefusedRequests["Service"],
  legacyCalls: LegacyCalls,
  readClient: CredentialsReader,
  request: HttpServerRequest.HttpServerRequest,
  parameters: Parameters
) =>
(failure: TokenError | TooManyAttempts) =>
  failure._tag === "TemporarilyUnavailable" ?
    Effect.void :
    readClient(request, parameters).pipe(
      Effect.map(({ id }) => id),
      Effect.orElseSucceed(() => parameters.get("client_id") ?? ""),
      Effect.flatMap((clientId) => {
        const { error, reason } = explanation(failure)
        // Only a client that has authenticated gets as far as this reason.
        if (reason === supersededReason) legacyCalls.noteRefused(ClientId.make(clientId), "supersededGrants")
        return refusedRequests.record({ clientId, endpoint: "token", error, reason })
      })
    )

const explanation = (failure: TokenError | TooManyAttempts) =>
  failure._tag === "TooManyAttempts"
    ? {
      error: "temporarily_unavailable",
      reason: "too many wrong secrets or unknown refresh tokens were sent; they are not looked at for a while"
    }
    : { error: failure.error, reason: reasonOf(failure) }
