import type { BearerHeader } from "./clientAuthentication/ResourceServerBearer.ts"
import type { ClientAuthenticationMethod } from "./ClientAuthenticationMethod.ts"
import { clientAuthenticationMethods, introspectionAuthenticationMethods } from "./ClientAuthenticationMethods.ts"
import type { GrantType } from "./GrantType.ts"
import { grantTypes } from "./GrantTypes.ts"

/**
 * Grant types and authentication methods of a server. Its routes, its metadata and its OpenAPI document are functions
 * of them, so a test can serve one more.
 */
export interface Supported {
  readonly grantTypes: ReadonlyArray<GrantType>
  readonly clientAuthenticationMethods: ReadonlyArray<ClientAuthenticationMethod>
  readonly introspectionAuthenticationMethods: ReadonlyArray<
    ClientAuthenticationMethod | ClientAuthenticationMethod<BearerHeader>
  >
}

export const supported = { grantTypes, clientAuthenticationMethods, introspectionAuthenticationMethods } as const

/** Names under which the metadata lists them. */
export const namesOf = <A extends { readonly name: string }>(all: ReadonlyArray<A>): ReadonlyArray<A["name"]> =>
  all.map(({ name }) => name)
