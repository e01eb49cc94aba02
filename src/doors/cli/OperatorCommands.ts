import { accounts } from "./Accounts.ts"
import { apiKeys } from "./ApiKeys.ts"
import { audit } from "./Audit.ts"
import { catalogue } from "./catalogue/Catalogue.ts"
import { clients } from "./Clients.ts"
import { doctor } from "./Doctor.ts"
import { grants } from "./Grants.ts"
import { importLegacy } from "./ImportLegacy.ts"
import { initialTokens } from "./InitialTokens.ts"
import { jobs } from "./Jobs.ts"
import { keys } from "./Keys.ts"
import { migrate } from "./Migrate.ts"
import { refusals } from "./Refusals.ts"
import { resources } from "./Resources.ts"
import { resourceServers } from "./ResourceServers.ts"
import { setupLink } from "./SetupLink.ts"

/**
 * Commands that work on the database; src/cli.ts adds those that run the processes. Each has its services by itself: a
 * group that is called without one of its commands shows its help, and must open no database for that.
 */
export const operatorCommands = [
  accounts,
  apiKeys,
  audit,
  catalogue,
  clients,
  doctor,
  grants,
  importLegacy,
  initialTokens,
  jobs,
  keys,
  migrate,
  refusals,
  resources,
  resourceServers,
  setupLink
] as const
