import { Expiry } from "../src/foundation/jobs/kinds/Expiry.ts"
import { KeyRotation } from "../src/foundation/jobs/kinds/KeyRotation.ts"
import { MigrationAudit } from "../src/foundation/jobs/kinds/MigrationAudit.ts"
import { NewConnection } from "../src/foundation/jobs/kinds/NewConnection.ts"
import { ReviewNotice } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { ReviewReminders } from "../src/foundation/jobs/kinds/ReviewReminders.ts"
import { TokenReuse } from "../src/foundation/jobs/kinds/TokenReuse.ts"

/** The queues that an operator sees. */
export const queueNames: ReadonlyArray<string> = [
  ReviewNotice,
  ReviewReminders,
  NewConnection,
  TokenReuse,
  MigrationAudit,
  KeyRotation,
  Expiry
].map(({ queue }) => queue)
