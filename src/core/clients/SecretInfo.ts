import { Schema } from "effect"
import { SecretId } from "../../domain/Ids.ts"

/** What is shown of a secret once it has been made. */
export class SecretInfo extends Schema.Class<SecretInfo>("SecretInfo")({
  id: SecretId,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}
