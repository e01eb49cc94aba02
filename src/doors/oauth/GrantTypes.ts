import { authorizationCode } from "./grantTypes/AuthorizationCode.ts"
import { refreshToken } from "./grantTypes/RefreshToken.ts"

/** Grant types of the token endpoint, in the order in which the metadata lists them. */
export const grantTypes = [authorizationCode, refreshToken] as const
