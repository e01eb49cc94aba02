import { Array, Layer } from "effect"
import { EndWarningMail } from "../src/foundation/jobs/kinds/EndWarningMail.ts"
import { EndWarnings } from "../src/foundation/jobs/kinds/EndWarnings.ts"
import { Expiry } from "../src/foundation/jobs/kinds/Expiry.ts"
import { KeyRotation } from "../src/foundation/jobs/kinds/KeyRotation.ts"
import { MigrationAudit } from "../src/foundation/jobs/kinds/MigrationAudit.ts"
import { MigrationMail } from "../src/foundation/jobs/kinds/MigrationMail.ts"
import { NewConnection } from "../src/foundation/jobs/kinds/NewConnection.ts"
import { ReviewNotice } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { ReviewReminders } from "../src/foundation/jobs/kinds/ReviewReminders.ts"
import { TokenReuse } from "../src/foundation/jobs/kinds/TokenReuse.ts"
import { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../src/foundation/jobs/queue/Relay.ts"
import { layer as endWarningMail } from "./EndWarningMail.ts"
import { layer as endWarnings } from "./EndWarnings.ts"
import { layer as expiry } from "./Expiry.ts"
import { layer as keyRotation } from "./KeyRotation.ts"
import { Mailer } from "./Mailer.ts"
import { layer as migrationAudit } from "./MigrationAudit.ts"
import { layer as migrationMail } from "./MigrationMail.ts"
import { layer as newConnection } from "./NewConnection.ts"
import { Post } from "./Post.ts"
import { layer as reviewNotice } from "./ReviewNotice.ts"
import { layer as reviewReminders } from "./ReviewReminders.ts"
import { ReviewWebhook } from "./ReviewWebhook.ts"
import { layer as tokenReuse } from "./TokenReuse.ts"

/**
 * Every kind of job with the layer that does it. This room does the jobs that `core` publishes: a file for each kind,
 * beside the mailer, the webhook and the operator's view. `workers/main.ts` runs it as a process of its own, the
 * embedded server inside. Dashboard, metrics and the table in docs/jobs.md, of which `does` and `when` are the words,
 * follow this list.
 */
export const workers = [
  {
    kind: ReviewNotice,
    layer: reviewNotice,
    does: "mails and webhook calls: to administrators about apps that wait, to owners about decisions",
    when: "published"
  },
  {
    kind: ReviewReminders,
    layer: reviewReminders,
    does: "publishes notices of apps that wait longer than `REVIEW_REMINDER_AFTER`",
    when: "every hour"
  },
  {
    kind: NewConnection,
    layer: newConnection,
    does: "a mail to a user who connected an app",
    when: "published"
  },
  {
    kind: TokenReuse,
    layer: tokenReuse,
    does: "a mail to a user whose connection was ended because a token was used twice",
    when: "published"
  },
  {
    kind: MigrationAudit,
    layer: migrationAudit,
    does: "the verdict on each legacy app, kept as history",
    when: "3:00 UTC, or published"
  },
  {
    kind: MigrationMail,
    layer: migrationMail,
    does: "a mail to an owner about all legacy apps that are still to be moved",
    when: "published"
  },
  {
    kind: EndWarnings,
    layer: endWarnings,
    does: "publishes the mails to owners of apps with imported grants that are about to end",
    when: "4:00 UTC"
  },
  {
    kind: EndWarningMail,
    layer: endWarningMail,
    does: "a mail to an owner about imported grants that are about to end",
    when: "published"
  },
  {
    kind: KeyRotation,
    layer: keyRotation,
    does: "makes the next keys of the server, and deletes those whose last token has expired",
    when: "every 6 hours"
  },
  {
    kind: Expiry,
    layer: expiry,
    does: "deletes rows that have expired, 1,000 at a time with pauses",
    when: "every 5 minutes, or published"
  }
] as const

/** The queues that an operator sees. */
export const queueNames: ReadonlyArray<string> = workers.map(({ kind }) => kind.queue)

/** The queues, and the relay that fills them from the outbox. */
export const Jobs = Relay.layer.pipe(Layer.provideMerge([OutboxRepo.layer, Queues.layer]))

/** All workers, and the loop of the relay. */
export const Workers = Layer.mergeAll(Relay.layerLoop, ...Array.map(workers, ({ layer }) => layer)).pipe(
  Layer.provide(Post.layer),
  Layer.provide([Deliveries.layer, Mailer.layer, ReviewWebhook.layer])
)
