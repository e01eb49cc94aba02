import { DateTime, Schema } from "effect"
import { ApiKeyId } from "../../../domain/Ids.ts"

/** An API key as it is listed; the key itself is shown once, when it is made. */
export class ApiKey extends Schema.Class<ApiKey>("ApiKey")({
  id: ApiKeyId,
  name: Schema.String,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** End of the key; `null` if it works until it is revoked. */
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {
  isLive(now: DateTime.Utc): boolean {
    return this.expiresAt === null || DateTime.isGreaterThan(this.expiresAt, now)
  }
}
