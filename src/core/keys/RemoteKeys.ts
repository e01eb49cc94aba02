import { errors } from "jose"

/**
 * Tells why `jwtVerify` failed with the keys of another server (`createRemoteJWKSet`): true if the token is at fault,
 * and false if the keys could not be read, which says nothing about the token.
 */
export const isRefusal = (cause: unknown): cause is errors.JOSEError =>
  cause instanceof errors.JOSEError && !(cause instanceof errors.JWKSTimeout) &&
  !(cause instanceof errors.JWKSInvalid) && cause.code !== "ERR_JOSE_GENERIC"
