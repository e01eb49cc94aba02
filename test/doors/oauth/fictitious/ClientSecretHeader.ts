import { Effect } from "effect"
import type { HeaderMethod } from "../../../../src/doors/oauth/ClientAuthenticationMethod.ts"

/** A method that no server has: the one file that adding a client authentication method takes. */
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
