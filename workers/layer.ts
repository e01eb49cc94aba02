import { Layer } from "effect"
import { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../src/foundation/jobs/queue/Relay.ts"
import * as Expiry from "./Expiry.ts"
import * as KeyRotation from "./KeyRotation.ts"
import { Mailer } from "./Mailer.ts"
import * as MigrationAudit from "./MigrationAudit.ts"
import { Post } from "./Post.ts"
import * as ReviewNotices from "./ReviewNotices.ts"
import * as ReviewReminders from "./ReviewReminders.ts"
import { ReviewWebhook } from "./ReviewWebhook.ts"
import * as UserNotices from "./UserNotices.ts"

/** The queues and what looks after the outbox; the workers and the operator's view stand on it. */
export const Jobs = Relay.layer.pipe(Layer.provideMerge([OutboxRepo.layer, Queues.layer]))

/** All workers and the relay that feeds them. */
export const Workers = Layer.mergeAll(
  Relay.layerLoop,
  Expiry.layer,
  KeyRotation.layer,
  MigrationAudit.layer,
  ReviewNotices.layer,
  ReviewReminders.layer,
  UserNotices.layer
).pipe(
  Layer.provide(Post.layer),
  Layer.provide([Deliveries.layer, Mailer.layer, ReviewWebhook.layer])
)
