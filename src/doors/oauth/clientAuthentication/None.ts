import { type BodyMethod, clientCredentials } from "../ClientAuthenticationMethod.ts"

/** The identifier of a public client, which has no secret (RFC 6749 §3.2.1) and proves itself with PKCE. */
export const none = {
  in: "body",
  name: "none",
  parameters: {},
  read: (clientId) => clientCredentials(clientId, undefined)
} as const satisfies BodyMethod
