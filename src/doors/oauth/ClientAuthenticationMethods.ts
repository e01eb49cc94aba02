import { clientSecretBasic } from "./clientAuthentication/ClientSecretBasic.ts"
import { clientSecretPost } from "./clientAuthentication/ClientSecretPost.ts"
import { none } from "./clientAuthentication/None.ts"
import { resourceServerBearer } from "./clientAuthentication/ResourceServerBearer.ts"

// In the order of the metadata.
const ofConfidentialClients = [clientSecretBasic, clientSecretPost] as const

/** Methods of clients at the token and at the revocation endpoint. */
export const clientAuthenticationMethods = [...ofConfidentialClients, none] as const

/** Methods at the introspection endpoint, which answers no public clients (RFC 7662 §2.1). */
export const introspectionAuthenticationMethods = [...ofConfidentialClients, resourceServerBearer] as const
