import type { BodyMethod } from "../ClientAuthenticationMethod.ts"

/** Identifier of a public client, which has no secret (RFC 6749 §3.2.1) and proves itself with PKCE. */
export const none = {
  in: "body",
  name: "none",
  parameters: {},
  read: (id) => ({ id, secret: undefined })
} as const satisfies BodyMethod
