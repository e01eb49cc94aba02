import type { HttpServerRequest } from "effect/http"
import type { Call } from "./Guard.ts"

/** Call about which a gateway asks. */
type ForwardedCall = Omit<Call, "authorization">

/**
 * Reads the call from the request of a gateway; `undefined` when it is not given. Each reader uses one source only, the
 * one that its gateway overwrites: clients can forge the others.
 */
export type CallReader = (request: HttpServerRequest.HttpServerRequest) => ForwardedCall | undefined

/** For nginx, with the headers that the configuration in docs/gateway.md sets. */
export const fromOriginalHeaders: CallReader = ({ headers }) =>
  call(headers["x-original-method"], headers["x-original-uri"])

/** For the forward authentication of Traefik and Caddy. */
export const fromForwardedHeaders: CallReader = ({ headers }) =>
  call(headers["x-forwarded-method"], headers["x-forwarded-uri"])

/** For `ext_authz` of Envoy, which sends the call itself with a prefix before its path. */
export const withoutPrefix = (prefix: string): CallReader => ({ method, url }) =>
  url.startsWith(`${prefix}/`) ? { method, target: url.slice(prefix.length) } : undefined

const call = (method: string | undefined, target: string | undefined): ForwardedCall | undefined =>
  method === undefined || method === "" || target === undefined || target === "" ? undefined : { method, target }
