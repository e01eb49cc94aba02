import type { HttpServerRequest } from "effect/http"

/** The call that a gateway asks about, as it came over the wire. */
export interface ForwardedCall {
  readonly method: string
  readonly target: string
}

/**
 * Reads the call from the question of a gateway; `undefined` when the gateway did not say. Each reads one source only,
 * the one that its gateway overwrites: a client can forge the others.
 */
export type Reader = (request: HttpServerRequest.HttpServerRequest) => ForwardedCall | undefined

/** nginx, as our configuration of it has it. */
export const original: Reader = ({ headers }) => call(headers["x-original-method"], headers["x-original-uri"])

/** Forward authentication of Traefik and Caddy. */
export const forwarded: Reader = ({ headers }) => call(headers["x-forwarded-method"], headers["x-forwarded-uri"])

/** `ext_authz` of Envoy: the call itself, with a prefix before its path. */
export const prefixed = (prefix: string): Reader => ({ method, url }) =>
  url.startsWith(`${prefix}/`) ? { method, target: url.slice(prefix.length) } : undefined

const call = (method: string | undefined, target: string | undefined): ForwardedCall | undefined =>
  method === undefined || method === "" || target === undefined || target === "" ? undefined : { method, target }
