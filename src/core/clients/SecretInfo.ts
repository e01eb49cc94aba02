import { Schema } from "effect"
import { SecretId } from "../../domain/Ids.ts"

/** The data of a secret that may be shown after its creation: never the secret itself. */
export class SecretInfo extends Schema.Class<SecretInfo>("SecretInfo")({
  id: SecretId,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}
