import { AccountClosed } from "../kinds/AccountClosed.ts"
import { AccountMail } from "../kinds/AccountMail.ts"
import { ApiKeyEndMail } from "../kinds/ApiKeyEndMail.ts"
import { CredentialNotice } from "../kinds/CredentialNotice.ts"
import { EndpointMail } from "../kinds/EndpointMail.ts"
import { EndWarningMail } from "../kinds/EndWarningMail.ts"
import { EndWarnings } from "../kinds/EndWarnings.ts"
import { EventDelivery } from "../kinds/EventDelivery.ts"
import { Expiry } from "../kinds/Expiry.ts"
import { KeyRotation } from "../kinds/KeyRotation.ts"
import { MigrationAudit } from "../kinds/MigrationAudit.ts"
import { MigrationMail } from "../kinds/MigrationMail.ts"
import { MissingLogos } from "../kinds/MissingLogos.ts"
import { NewConnection } from "../kinds/NewConnection.ts"
import { OwnerChange } from "../kinds/OwnerChange.ts"
import { PasswordChanged } from "../kinds/PasswordChanged.ts"
import { PlatformEvent } from "../kinds/PlatformEvent.ts"
import { ReviewDigestMail } from "../kinds/ReviewDigestMail.ts"
import { ReviewDigests } from "../kinds/ReviewDigests.ts"
import { ReviewNotice } from "../kinds/ReviewNotice.ts"
import { ReviewReminders } from "../kinds/ReviewReminders.ts"
import { TokenReuse } from "../kinds/TokenReuse.ts"
import { WebsiteLooks } from "../kinds/WebsiteLooks.ts"
import { WishAnswer } from "../kinds/WishAnswer.ts"

/** Queues of all kinds of jobs. Their tables are made by what knows no worker: a migration of the schema. */
export const queueNames: ReadonlyArray<string> = [
  AccountClosed,
  AccountMail,
  ApiKeyEndMail,
  CredentialNotice,
  EndpointMail,
  EndWarningMail,
  EndWarnings,
  EventDelivery,
  Expiry,
  KeyRotation,
  MigrationAudit,
  MigrationMail,
  MissingLogos,
  NewConnection,
  OwnerChange,
  PasswordChanged,
  PlatformEvent,
  ReviewDigestMail,
  ReviewDigests,
  ReviewNotice,
  ReviewReminders,
  TokenReuse,
  WebsiteLooks,
  WishAnswer
].map(({ queue }) => queue)
