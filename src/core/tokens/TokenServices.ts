import { Layer } from "effect"
import { AccessTokens } from "./AccessTokens.ts"
import { ImportedTokens } from "./ImportedTokens.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import { ResourceServers } from "./ResourceServers.ts"
import { Revocation } from "./Revocation.ts"
import { ServerAccessCheck } from "./ServerAccessCheck.ts"
import { TokenIssuer } from "./TokenIssuer.ts"

/** Services of this room, composed once, over those of clients, grants and keys. */
export const TokenServices = Layer.mergeAll(ResourceServers.layer, Revocation.layer, TokenIssuer.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(ServerAccessCheck, RefreshTokens.layer)),
  Layer.provideMerge(Layer.mergeAll(AccessTokens.layer, ImportedTokens.layer))
)
