import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"

/** Endpoints whose refusals are kept. */
export const RefusalEndpoint = Schema.Literals(["authorize", "token"])
export type RefusalEndpoint = typeof RefusalEndpoint.Type

const recorded = {
  at: Schema.DateTimeUtcFromDate,
  endpoint: RefusalEndpoint,
  /** Error code of the answer, or the name of the error page that the user saw instead. */
  error: Schema.String,
  /** Exact cause, which the answer may have withheld. */
  reason: Schema.String,
  /** Number of equal requests for which it stands. */
  times: Schema.Int,
  /** Id of the request, which its page shows; `null` of one that a release without references has kept. */
  reference: Schema.NullOr(Schema.String)
}

/** Refused requests of one app for one cause, the latest of which it tells. Never with a secret, a code or a token. */
export class RefusedRequest extends Schema.Class<RefusedRequest>("RefusedRequest")(recorded) {}

/** One refused request as support sees it. */
export class FoundRefusal extends Schema.Class<FoundRefusal>("FoundRefusal")({
  ...recorded,
  /** `null` where the request named no app of this server. */
  clientId: Schema.NullOr(ClientId),
  /** User whose session, code or grant it was about, where that is known. */
  userId: Schema.NullOr(UserId)
}) {}
