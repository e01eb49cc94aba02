import { Context, type Effect, type Result } from "effect"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import type { ClientStanding } from "../clients/records/Client.ts"
import type { RefreshToken } from "./RefreshToken.ts"

/**
 * A port for what a client presents as a refresh token and what this server has neither issued nor imported. It is
 * asked last, once the client has authenticated; the room `core/legacy/introspection` answers (`IntrospectedTokens`),
 * or nobody where the settings name no previous server.
 */
export class UnknownTokens extends Context.Service<
  UnknownTokens,
  {
    /** First generation of the grant that the token stands for from now on, or the reason why it stands for none. */
    adopt(
      client: ClientStanding,
      text: string,
      address: string
    ): Effect.Effect<Result.Result<RefreshToken, string>, TemporarilyUnavailable | TooManyAttempts>
  } | undefined
>()("slotkey/core/tokens/UnknownTokens") {}
