import { Schema } from "effect"
import { SecretId } from "../../../domain/Ids.ts"

/** True for a secret that is short enough to be guessed. */
export const isShort = (secret: string): boolean => secret.length < 16

/** Data of a secret that may be shown after its creation: never the secret itself. */
export class SecretInfo extends Schema.Class<SecretInfo>("SecretInfo")({
  id: SecretId,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** `null` for one that works until it is revoked. */
  endsAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Its end has passed, and it works on as the last one of its client. */
  isOverdue: Schema.Boolean,
  /** It replaces one that had leaked, and its owner has yet to see it. */
  isSealed: Schema.Boolean
}) {}
