import { Effect } from "effect"
import * as Bearer from "../../../domain/Bearer.ts"
import type { HeaderMethod } from "../ClientAuthenticationMethod.ts"

/** A header of the Bearer scheme, whose token is for `ResourceServers` to recognise. */
export interface BearerHeader {
  readonly bearer: Exclude<Bearer.Credentials, { readonly _tag: "None" }>
}

/** Credential of a resource server as a bearer token (RFC 7662 §2.1). */
export const resourceServerBearer: HeaderMethod<BearerHeader> = {
  in: "header",
  name: "Bearer",
  challenge: "Bearer",
  securityScheme: {
    name: "resourceServer",
    scheme: "bearer",
    description: "The credential of a resource server."
  },
  read: (authorization) => {
    const bearer = Bearer.parse(authorization)
    return bearer._tag === "None" ? undefined : Effect.succeed({ bearer })
  }
}
