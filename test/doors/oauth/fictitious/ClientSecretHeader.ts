import { Effect } from "effect"
import type { HeaderMethod } from "../../../../src/doors/oauth/ClientAuthenticationMethod.ts"

/** A fictitious client authentication method, to show that adding one takes a single file. */
export const clientSecretHeader: HeaderMethod = {
  in: "header",
  name: "client_secret_header",
  challenge: "Plain",
  securityScheme: { name: "plain", scheme: "basic", description: "An id and a secret." },
  read: (authorization) => {
    const [scheme, id, secret] = authorization.split(" ")
    return scheme === "Plain" && id !== undefined ? Effect.succeed({ id, secret }) : undefined
  }
}
