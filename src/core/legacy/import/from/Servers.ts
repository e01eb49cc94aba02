import { Struct } from "effect"
import { auth0 } from "./servers/Auth0.ts"
import { django } from "./servers/Django.ts"
import { doorkeeper } from "./servers/Doorkeeper.ts"
import { hydra } from "./servers/Hydra.ts"
import { keycloak } from "./servers/Keycloak.ts"
import { passport } from "./servers/Passport.ts"
import { prisma } from "./servers/Prisma.ts"

/** Servers whose exports are read as they are, by the names that `--from` takes. */
export const servers = { hydra, keycloak, doorkeeper, django, passport, auth0, prisma }
export type ServerName = keyof typeof servers

export const serverNames = Struct.keys(servers)

/** Server that a file comes from, and what its export does not say. */
export interface Origin {
  readonly server: ServerName
  /** Account that owns the apps of which the export names no owner. */
  readonly owner?: string
  /** Issuer whose subjects the ids of users in the export are. */
  readonly issuer?: string
  /** What 64 hexadecimal digits are, where the server's settings decide. */
  readonly hex?: "clear" | "sha256-hex"
}
