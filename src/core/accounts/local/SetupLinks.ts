import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest, Conflict } from "../../../domain/ApiError.ts"
import * as Credential from "../../../domain/Credential.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { Budgets } from "../../limits/Budgets.ts"
import type { Account } from "../people/Account.ts"
import { Accounts } from "./Accounts.ts"
import type { NewAccount } from "./NewAccount.ts"

/** The link was used or has expired, or there is an administrator already. */
class SetupLinkUnusable extends Schema.TaggedError<SetupLinkUnusable>()("SetupLinkUnusable", {}) {}

/**
 * One-time links that make the first administrator of a new server, which has no default password. There are none where
 * nobody signs in with a password, or where an identity provider says who is an administrator.
 */
export class SetupLinks extends Context.Service<SetupLinks, {
  /** Tells whether the server waits for its first administrator. */
  readonly isNeeded: Effect.Effect<boolean>
  /** A new link, or none if the server waits for no administrator. */
  readonly mint: Effect.Effect<Option.Option<Redacted.Redacted>>
  isUsable(token: string): Effect.Effect<boolean>
  /** Makes the first administrator. Of concurrent uses, of any links, only one succeeds. */
  use(
    token: string,
    administrator: Omit<NewAccount, "role" | "by">
  ): Effect.Effect<Account, SetupLinkUnusable | BadRequest | Conflict>
}>()("slotkey/core/accounts/local/SetupLinks") {
  static readonly layer = Layer.effect(
    SetupLinks,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const { administratorClaim, authUrl, setupLinkLifetime, signIn } = yield* AppConfig
      const accounts = yield* Accounts
      const budgets = yield* Budgets

      const isNeeded = signIn.has("local") && Option.isNone(administratorClaim)
        ? Effect.map(accounts.hasAdmin, (has) => !has)
        : Effect.succeed(false)

      const mint = Effect.gen(function*() {
        const now = yield* clock.now
        yield* sql`DELETE FROM setup_links WHERE expires_at <= ${DateTime.toDateUtc(now)}`
        if (!(yield* isNeeded)) return Option.none()
        const token = Redacted.value(yield* Credential.make("setup"))
        const expiresAt = DateTime.toDateUtc(DateTime.addDuration(now, setupLinkLifetime))
        yield* sql`INSERT INTO setup_links ${sql.insert({ digest: Credential.digest(token), expiresAt })}`
        return Option.some(
          Redacted.make(`${authUrl}/setup?${new URLSearchParams({ token })}`, { label: "set-up link" })
        )
      }).pipe(Effect.orDie, Effect.withSpan("SetupLinks.mint"))

      const select = Effect.fnUntraced(function*(token: string) {
        const now = DateTime.toDateUtc(yield* clock.now)
        const digest = Credential.digest(token)
        return yield* sql`SELECT digest FROM setup_links WHERE digest = ${digest} AND expires_at > ${now}`
      })

      const isUsable = Effect.fn("SetupLinks.isUsable")(function*(token: string) {
        if (Credential.parse("setup", token) === undefined || !(yield* isNeeded)) return false
        return (yield* select(token)).length > 0
      }, Effect.orDie)

      const use = Effect.fn("SetupLinks.use")(
        function*(token: string, administrator: Omit<NewAccount, "role" | "by">) {
          if (!(yield* isUsable(token))) return yield* new SetupLinkUnusable()
          yield* budgets.spend("sign-in")
          const create = yield* accounts.prepare({ ...administrator, role: "admin" })
          return yield* Effect.gen(function*() {
            // Locks all links: a second use waits here, and then finds none.
            yield* sql`SELECT digest FROM setup_links ORDER BY digest FOR UPDATE`
            if (!(yield* isUsable(token))) return yield* new SetupLinkUnusable()
            const account = yield* create
            yield* sql`DELETE FROM setup_links`
            return account
          }).pipe(inTransaction(sql))
        }
      )

      return SetupLinks.of({ isNeeded, mint, isUsable, use })
    })
  )
}

export const sweeps = [
  Sweep.expired({ table: "setup_links", column: "expires_at", retention: "setupLinkLifetime", rows: "set-up links" })
]
