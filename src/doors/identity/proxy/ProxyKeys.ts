import { createRemoteJWKSet, customFetch } from "jose"
import { boundedFetch } from "../../../foundation/outbound/BoundedFetch.ts"

/** Public keys of the proxy in front, which are fetched when they are needed. */
export const proxyKeys = (url: string) =>
  createRemoteJWKSet(new URL(url), { timeoutDuration: 2000, [customFetch]: boundedFetch() })
