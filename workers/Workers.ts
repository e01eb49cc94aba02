import { Array, Layer } from "effect"
import { AccountClosed } from "../src/foundation/jobs/kinds/AccountClosed.ts"
import { AccountMail } from "../src/foundation/jobs/kinds/AccountMail.ts"
import { ApiKeyEndMail } from "../src/foundation/jobs/kinds/ApiKeyEndMail.ts"
import { CredentialNotice } from "../src/foundation/jobs/kinds/CredentialNotice.ts"
import { EndWarningMail } from "../src/foundation/jobs/kinds/EndWarningMail.ts"
import { EndWarnings } from "../src/foundation/jobs/kinds/EndWarnings.ts"
import { Expiry } from "../src/foundation/jobs/kinds/Expiry.ts"
import { KeyRotation } from "../src/foundation/jobs/kinds/KeyRotation.ts"
import { MigrationAudit } from "../src/foundation/jobs/kinds/MigrationAudit.ts"
import { MigrationMail } from "../src/foundation/jobs/kinds/MigrationMail.ts"
import { MissingLogos } from "../src/foundation/jobs/kinds/MissingLogos.ts"
import { NewConnection } from "../src/foundation/jobs/kinds/NewConnection.ts"
import { OwnerChange } from "../src/foundation/jobs/kinds/OwnerChange.ts"
import { PasswordChanged } from "../src/foundation/jobs/kinds/PasswordChanged.ts"
import { ReviewDigestMail } from "../src/foundation/jobs/kinds/ReviewDigestMail.ts"
import { ReviewDigests } from "../src/foundation/jobs/kinds/ReviewDigests.ts"
import { ReviewNotice } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { ReviewReminders } from "../src/foundation/jobs/kinds/ReviewReminders.ts"
import { TokenReuse } from "../src/foundation/jobs/kinds/TokenReuse.ts"
import { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../src/foundation/jobs/queue/Relay.ts"
import { layer as accountClosed } from "./AccountClosed.ts"
import { layer as accountMail } from "./AccountMail.ts"
import { layer as apiKeyEndMail } from "./ApiKeyEndMail.ts"
import { layer as credentialNotice } from "./CredentialNotice.ts"
import { layer as endWarningMail } from "./EndWarningMail.ts"
import { layer as endWarnings } from "./EndWarnings.ts"
import { layer as expiry } from "./Expiry.ts"
import { layer as keyRotation } from "./KeyRotation.ts"
import { Mailer } from "./Mailer.ts"
import { layer as migrationAudit } from "./MigrationAudit.ts"
import { layer as migrationMail } from "./MigrationMail.ts"
import { layer as missingLogos } from "./MissingLogos.ts"
import { layer as newConnection } from "./NewConnection.ts"
import { layer as ownerChange } from "./OwnerChange.ts"
import { layer as passwordChanged } from "./PasswordChanged.ts"
import { Post } from "./Post.ts"
import { layer as reviewDigestMail } from "./ReviewDigestMail.ts"
import { layer as reviewDigests } from "./ReviewDigests.ts"
import { ReviewNews } from "./ReviewNews.ts"
import { layer as reviewNotice } from "./ReviewNotice.ts"
import { layer as reviewReminders } from "./ReviewReminders.ts"
import { ReviewWebhook } from "./ReviewWebhook.ts"
import { layer as tokenReuse } from "./TokenReuse.ts"

/**
 * Every kind of job with the layer that does it. This room does the jobs that `core` publishes: a file for each kind,
 * beside the mailer, the webhook and the operator's view. `workers/main.ts` runs it as a process of its own, the
 * embedded server inside. Dashboard, metrics and the table in docs/jobs.md, for which `does` is written, follow this
 * list.
 */
export const workers = [
  {
    kind: ReviewNotice,
    layer: reviewNotice,
    does: "webhook calls, mails to owners about decisions, and news for the digests of reviewers"
  },
  {
    kind: ReviewDigests,
    layer: reviewDigests,
    does: "publishes the digests of reviewers that are due by `REVIEW_DIGEST_INTERVAL`"
  },
  {
    kind: ReviewDigestMail,
    layer: reviewDigestMail,
    does: "a mail to a reviewer about all apps that came up for review since the last one"
  },
  {
    kind: ReviewReminders,
    layer: reviewReminders,
    does: "publishes notices of apps that wait longer than `REVIEW_REMINDER_AFTER`"
  },
  {
    kind: AccountMail,
    layer: accountMail,
    does: "mails with links: an invitation, another password, another address of a local account"
  },
  {
    kind: CredentialNotice,
    layer: credentialNotice,
    does: "a mail to an owner about a secret or an API key that was made or revoked"
  },
  {
    kind: PasswordChanged,
    layer: passwordChanged,
    does: "a mail to a user whose password was changed"
  },
  {
    kind: NewConnection,
    layer: newConnection,
    does: "a mail to a user who connected an app"
  },
  {
    kind: TokenReuse,
    layer: tokenReuse,
    does: "a mail to a user whose connection was ended because a token was used twice"
  },
  {
    kind: MigrationAudit,
    layer: migrationAudit,
    does: "the verdict on each legacy app, kept as history"
  },
  {
    kind: MigrationMail,
    layer: migrationMail,
    does: "a mail to an owner about all legacy apps that are still to be moved"
  },
  {
    kind: EndWarnings,
    layer: endWarnings,
    does: "publishes the mails to owners of API keys and of apps with imported grants that are about to end"
  },
  {
    kind: EndWarningMail,
    layer: endWarningMail,
    does: "a mail to an owner about imported grants that are about to end"
  },
  {
    kind: ApiKeyEndMail,
    layer: apiKeyEndMail,
    does: "a mail to an owner about API keys that are about to end"
  },
  {
    kind: OwnerChange,
    layer: ownerChange,
    does: "a mail to the user who has got an app from another, and one to that other"
  },
  {
    kind: AccountClosed,
    layer: accountClosed,
    does: "a mail to the former user of an account that confirms its end"
  },
  {
    kind: MissingLogos,
    layer: missingLogos,
    does: "fetches the logos of apps that have only an address of one, as imported apps do"
  },
  {
    kind: KeyRotation,
    layer: keyRotation,
    does: "makes the next keys of the server, and deletes those whose last token has expired"
  },
  {
    kind: Expiry,
    layer: expiry,
    does: "deletes rows that have expired, 1,000 at a time with pauses"
  }
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
