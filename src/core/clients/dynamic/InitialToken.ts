import { DateTime, Schema } from "effect"

/** An initial access token without its text (RFC 7591 §1.2): who has that may register apps. */
export class InitialToken extends Schema.Class<InitialToken>("InitialToken")({
  id: Schema.String,
  name: Schema.String,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Number of registrations that it is good for; `null` without a limit. */
  mostUses: Schema.NullOr(Schema.Int),
  uses: Schema.Int
}) {
  /** True while it can be used. */
  isLive(now: DateTime.Utc): boolean {
    return (this.mostUses === null || this.uses < this.mostUses) &&
      (this.expiresAt === null || DateTime.isGreaterThan(this.expiresAt, now))
  }
}
