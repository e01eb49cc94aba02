import { Array, Layer } from "effect"
import { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../src/foundation/jobs/queue/Relay.ts"
import * as AccountClosed from "./AccountClosed.ts"
import * as AccountMail from "./AccountMail.ts"
import * as ApiKeyEndMail from "./ApiKeyEndMail.ts"
import * as CredentialNotice from "./CredentialNotice.ts"
import * as EndpointMail from "./EndpointMail.ts"
import * as EndWarningMail from "./EndWarningMail.ts"
import * as EndWarnings from "./EndWarnings.ts"
import * as EventDelivery from "./EventDelivery.ts"
import * as Expiry from "./Expiry.ts"
import * as KeyRotation from "./KeyRotation.ts"
import { Mailer } from "./Mailer.ts"
import * as MigrationAudit from "./MigrationAudit.ts"
import * as MigrationMail from "./MigrationMail.ts"
import * as MissingLogos from "./MissingLogos.ts"
import * as NewConnection from "./NewConnection.ts"
import * as OwnerChange from "./OwnerChange.ts"
import * as PasswordChanged from "./PasswordChanged.ts"
import * as PlatformEvent from "./PlatformEvent.ts"
import { Post } from "./Post.ts"
import * as ReviewDigestMail from "./ReviewDigestMail.ts"
import * as ReviewDigests from "./ReviewDigests.ts"
import { ReviewNews } from "./ReviewNews.ts"
import * as ReviewNotice from "./ReviewNotice.ts"
import * as ReviewReminders from "./ReviewReminders.ts"
import { ReviewWebhook } from "./ReviewWebhook.ts"
import * as TokenReuse from "./TokenReuse.ts"
import * as WebsiteLooks from "./WebsiteLooks.ts"
import * as WishAnswer from "./WishAnswer.ts"

/**
 * Every kind of job with the layer that does it. This room does the jobs that `core` publishes: a file for each kind,
 * beside the mailer, the webhook and the operator's view. `workers/main.ts` runs it as a process of its own, the
 * embedded server inside. Dashboard, metrics and the table in docs/jobs.md, for which `does` is written, follow this
 * list.
 */
export const workers = [
  ReviewNotice.worker,
  ReviewDigests.worker,
  ReviewDigestMail.worker,
  ReviewReminders.worker,
  AccountMail.worker,
  CredentialNotice.worker,
  PasswordChanged.worker,
  NewConnection.worker,
  TokenReuse.worker,
  MigrationAudit.worker,
  MigrationMail.worker,
  EndWarnings.worker,
  EndWarningMail.worker,
  ApiKeyEndMail.worker,
  OwnerChange.worker,
  WishAnswer.worker,
  AccountClosed.worker,
  EventDelivery.worker,
  EndpointMail.worker,
  PlatformEvent.worker,
  MissingLogos.worker,
  WebsiteLooks.worker,
  KeyRotation.worker,
  Expiry.worker
] as const

/** Queues, and the relay that fills them from the outbox. */
export const Jobs = Relay.layer.pipe(Layer.provideMerge([OutboxRepo.layer, Queues.layer]))

/** All workers, over the ways by which something leaves the server. */
export const AllKinds = Layer.mergeAll(...Array.map(workers, ({ layer }) => layer)).pipe(
  Layer.provide(Post.layer),
  Layer.provide([Deliveries.layer, ReviewNews.layer])
)

/** All workers, and the loop of the relay. */
export const Workers = Layer.mergeAll(
  Relay.layerLoop,
  Layer.provide(AllKinds, [Mailer.layer, ReviewWebhook.layer])
)
