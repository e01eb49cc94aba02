import { commitBefore, contracts, migrations } from "./migrations/index.ts"
import * as SchemaSteps from "./SchemaSteps.ts"

/**
 * The schema of the server: how it stands, whether this code can run on it, and what brings it to the newest version.
 */
export const { check, migrate, status } = SchemaSteps.make({ migrations, contracts, commitBefore })
