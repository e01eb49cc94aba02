import { Schema } from "effect"
import type { BodyMethod } from "../ClientAuthenticationMethod.ts"

/** Secret as a parameter of the body (RFC 6749 §2.3.1). */
export const clientSecretPost = {
  in: "body",
  name: "client_secret_post",
  parameters: { client_secret: Schema.optionalKey(Schema.String) },
  read: (id, parameters) => ({ id, secret: parameters.get("client_secret") })
} as const satisfies BodyMethod
