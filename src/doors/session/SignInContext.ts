import { Context, type Effect, type Option } from "effect"

/** Authorization request of an app that waits for the sign-in. */
export interface WaitingRequest {
  /** Name of the app. */
  readonly app: string
  /** Wishes of a request about the sign-in itself (OpenID Connect Core 1.0 §3.1.2.1), as it was sent. */
  readonly prompt: string | undefined
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
}

/**
 * Finds the request that a path leads to after the sign-in, so that the sign-in page can say what one signs in for. The
 * consent door fills it in.
 */
export class SignInContext extends Context.Service<
  SignInContext,
  (path: string) => Effect.Effect<Option.Option<WaitingRequest>>
>()("slotkey/doors/session/SignInContext") {}
