import { clientSecretBasic } from "./clientAuthentication/ClientSecretBasic.ts"
import { clientSecretPost } from "./clientAuthentication/ClientSecretPost.ts"
import { none } from "./clientAuthentication/None.ts"
import { resourceServerBearer } from "./clientAuthentication/ResourceServerBearer.ts"

// The order is that of the metadata.
const ofConfidentialClients = [clientSecretBasic, clientSecretPost] as const

/** The methods of clients at the token and at the revocation endpoint. */
export const clientAuthenticationMethods = [...ofConfidentialClients, none] as const

/** The methods at the introspection endpoint, which answers no public clients (RFC 7662 §2.1). */
export const introspectionAuthenticationMethods = [...ofConfidentialClients, resourceServerBearer] as const
