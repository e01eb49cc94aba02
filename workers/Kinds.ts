import { Expiry } from "../src/jobs/Expiry.ts"
import { KeyRotation } from "../src/jobs/KeyRotation.ts"
import { MigrationAudit } from "../src/jobs/MigrationAudit.ts"
import { NewConnection } from "../src/jobs/NewConnection.ts"
import { ReviewNotice } from "../src/jobs/ReviewNotice.ts"
import { ReviewReminders } from "../src/jobs/ReviewReminders.ts"
import { TokenReuse } from "../src/jobs/TokenReuse.ts"

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
