import { Schema } from "effect"
import { ApiKeyId } from "../../domain/Ids.ts"

/** What is shown of an API key once it has been made. */
export class ApiKey extends Schema.Class<ApiKey>("ApiKey")({
  id: ApiKeyId,
  name: Schema.String,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}
