import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Rejections } from "../clients/Rejections.ts"
import { reasonOf, type TokenError } from "../domain/OAuthError.ts"
import type { Parameters } from "../domain/Parameters.ts"
import type { TooManyAttempts } from "../domain/TooManyAttempts.ts"
import { presented } from "./ClientAuthentication.ts"

/** Notes for the owner of an app why its token request was refused; what is our own trouble is not its fault. */
export const noteRefusal = (
  rejections: Rejections["Service"],
  request: HttpServerRequest.HttpServerRequest,
  parameters: Parameters
) =>
(failure: TokenError | TooManyAttempts) =>
  failure._tag === "TemporarilyUnavailable" || failure._tag === "TooManyAttempts" ?
    Effect.void :
    presented(request.headers["authorization"], parameters, "").pipe(
      Effect.map(({ id }) => id),
      Effect.orElseSucceed(() => parameters.get("client_id") ?? ""),
      Effect.flatMap((clientId) =>
        rejections.note({ clientId, endpoint: "token", error: failure.error, reason: reasonOf(failure) })
      )
    )
