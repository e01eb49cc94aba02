import { Context, DateTime, type Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Credential from "../../../domain/Credential.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import type { Role } from "../people/Account.ts"
import { LinkUnusable, MailedLink, paths, type Purpose } from "./MailedLink.ts"

/**
 * Links that work once and for a while, for the reader of the mail at an address: a link is opened with a change, and
 * the worker that writes its mail mints the token, which nothing but the mail ever holds. `Invitations`,
 * `PasswordResets` and `EmailChanges` use them; all methods join the caller's transaction.
 */
export class MailedLinks extends Context.Service<MailedLinks, {
  /** Opens a link. One with this id that is open already stays as it is. */
  open(link: NewLink): Effect.Effect<void>
  /** Address to mail, unless the link was withdrawn or has expired. A further attempt at the mail gets another. */
  mint(purpose: Purpose, id: string): Effect.Effect<Option.Option<Minted>>
  /** Looks without using the link, as programs do that examine mails. */
  find(purpose: Purpose, token: string): Effect.Effect<Option.Option<MailedLink>>
  /** Uses the link. Of concurrent uses only one succeeds. */
  take(purpose: Purpose, token: string): Effect.Effect<MailedLink, LinkUnusable>
  /** Links of this purpose that can be used, the newest first. */
  list(purpose: Purpose, account?: UserId): Effect.Effect<ReadonlyArray<MailedLink>>
  /** Ends a link that was not used; none if there is no such link. */
  withdraw(purpose: Purpose, id: string): Effect.Effect<Option.Option<MailedLink>>
  /** Ends all links of an account, or those of one purpose. */
  end(account: UserId, purpose?: Purpose): Effect.Effect<void>
}>()("slotkey/core/accounts/local/MailedLinks") {
  static readonly layer = Layer.effect(
    MailedLinks,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const { authUrl } = yield* AppConfig

      const select = (purpose: Purpose, where: Statement.Fragment) =>
        Effect.gen(function*() {
          const now = DateTime.toDateUtc(yield* clock.now)
          return yield* allLinks(sql`SELECT ${columns} FROM mailed_links
            WHERE purpose = ${purpose} AND expires_at > ${now} AND ${where} ORDER BY created_at DESC, id`)
        }).pipe(Effect.orDie)

      const ofToken = (token: string) =>
        sql`id = (SELECT link_id FROM mailed_link_tokens WHERE digest = ${Credential.digest(token)})`

      const open = Effect.fn("MailedLinks.open")(function*({ lifetime, ...link }: NewLink) {
        const now = yield* clock.now
        const row = {
          accountId: null,
          role: null,
          invitedBy: null,
          ...link,
          createdAt: DateTime.toDateUtc(now),
          expiresAt: DateTime.toDateUtc(DateTime.addDuration(now, lifetime))
        }
        yield* sql`INSERT INTO mailed_links ${sql.insert(row)} ON CONFLICT (id) DO NOTHING`
      }, Effect.orDie)

      const mint = Effect.fn("MailedLinks.mint")(function*(purpose: Purpose, id: string) {
        const [link] = yield* select(purpose, sql`id = ${id}`)
        if (link === undefined) return Option.none()
        const token = Redacted.value(yield* Credential.make("link"))
        yield* sql`INSERT INTO mailed_link_tokens ${sql.insert({ digest: Credential.digest(token), linkId: id })}`
        const url = `${authUrl}${paths[purpose]}?${new URLSearchParams({ token })}`
        return Option.some({ link, url: Redacted.make(url, { label: "mailed link" }) })
      }, Effect.orDie)

      const find = Effect.fn("MailedLinks.find")(function*(purpose: Purpose, token: string) {
        if (Credential.parse("link", token) === undefined) return Option.none()
        return Option.fromUndefinedOr((yield* select(purpose, ofToken(token)))[0])
      })

      const withdraw = Effect.fn("MailedLinks.withdraw")((purpose: Purpose, id: string) =>
        Effect.orDie(
          firstLink(sql`DELETE FROM mailed_links WHERE purpose = ${purpose} AND id = ${id} RETURNING ${columns}`)
        )
      )

      const take = Effect.fn("MailedLinks.take")(function*(purpose: Purpose, token: string) {
        const found = yield* find(purpose, token)
        // A second use waits here for the first to commit, and then finds none.
        const taken = Option.isSome(found) ? yield* withdraw(purpose, found.value.id) : found
        return yield* Effect.mapError(Effect.fromOption(taken), () => new LinkUnusable())
      })

      const list = Effect.fn("MailedLinks.list")((purpose: Purpose, account?: UserId) =>
        select(purpose, account === undefined ? sql`true` : sql`account_id = ${account}`)
      )

      const end = Effect.fn("MailedLinks.end")((account: UserId, purpose?: Purpose) =>
        sql`DELETE FROM mailed_links WHERE account_id = ${account}
            AND ${purpose === undefined ? sql`true` : sql`purpose = ${purpose}`}`.pipe(Effect.orDie, Effect.asVoid)
      )

      return MailedLinks.of({ open, mint, find, take, list, withdraw, end })
    })
  )
}

interface NewLink {
  readonly id: string
  readonly purpose: Purpose
  readonly email: string
  readonly lifetime: Duration.Duration
  readonly accountId?: UserId
  readonly role?: Role
  readonly invitedBy?: string
}

export interface Minted {
  readonly link: MailedLink
  readonly url: Redacted.Redacted
}

export const sweeps = [
  Sweep.expired({
    table: "mailed_links",
    column: "expires_at",
    retention: "invitationLifetime",
    rows: "mailed links that have expired: invitations after this time, others after an hour"
  })
]

const columns = Column.names(MailedLink.fields)
const allLinks = Rows.all(MailedLink)
const firstLink = Rows.first(MailedLink)
