import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { WaitingRequest } from "./SignInContext.ts"

/** A way to sign in elsewhere. */
export interface SignInMethod {
  /** Stands in addresses. */
  readonly id: string
  /** Words of its button, such as the name of the platform. */
  readonly label: string
  /** Sends the browser there. It comes back to an address of the method, and in the end to `returnTo`. */
  readonly begin: (
    request: SignInRequest
  ) => Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    HttpServerResponse.HttpServerResponse,
    HttpServerRequest.HttpServerRequest
  >
}

/** A sign-in that is wanted, with the app's request that waits for it, if one does. */
export interface SignInRequest extends Partial<WaitingRequest> {
  /** Path on this server that the sign-in leads to. */
  readonly returnTo: string
}

/** Ways to sign in elsewhere, for the sign-in page. The identity door fills them in, and so may an embedder. */
export const SignInMethods = Context.Reference<ReadonlyArray<SignInMethod>>(
  "slotkey/doors/session/SignInMethods",
  { defaultValue: () => [] }
)
