import { Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import * as Credential from "../../../domain/Credential.ts"
import type { ClientId } from "../../../domain/Ids.ts"
import { AccessDenied, InvalidBearer, type MetadataError, TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { CallerAddress } from "../../limits/CallerAddress.ts"
import { Limiter } from "../../limits/Limiter.ts"
import { type Actor, clientCommands } from "../life/ClientCommands.ts"
import * as Lifecycle from "../life/Lifecycle.ts"
import { newClient } from "../life/NewClient.ts"
import { ManagedClient } from "../records/Client.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import * as NewClientId from "../records/NewClientId.ts"
import { nobody } from "../records/Nobody.ts"
import { unwritten } from "../records/UnwrittenPurpose.ts"
import { SecretVault } from "../secrets/SecretVault.ts"
import { type ClientMetadata, kindOf, metadataError } from "./ClientMetadata.ts"
import { InitialTokens } from "./InitialTokens.ts"
import { fieldsOf, RegistrationFacts, RegistrationRecord, wishedScopes } from "./RegistrationRecord.ts"

/**
 * Dynamic registration (RFC 7591, RFC 7592) as a way into the queue that all apps go through. What registers by itself
 * is nobody's app: it is `pending`, no reviewer sees it until a user asks for its review (`ReviewWishes`), and nothing
 * that it says of itself moves rights (docs/decisions/clients.md).
 */
export class DynamicRegistration extends Context.Service<DynamicRegistration, {
  /**
   * Registers an app whose metadata are read once the initial access token was found in order. Without a token, where
   * that is allowed, it counts for the network of `CallerAddress`.
   */
  register(
    token: Option.Option<Redacted.Redacted>,
    read: Effect.Effect<ClientMetadata, MetadataError>
  ): Effect.Effect<NewRegistration, InvalidBearer | MetadataError | TooManyAttempts | TemporarilyUnavailable>
  /** App that a registration access token is for. */
  read(clientId: string, token: Redacted.Redacted): Effect.Effect<RegisteredApp, InvalidBearer>
  /**
   * Gives the app other metadata. Before its approval they hold as they are; afterwards what widens it waits for
   * review, and what narrows it holds at once. Its kind never changes.
   */
  replace<E>(
    clientId: string,
    token: Redacted.Redacted,
    read: Effect.Effect<Update, E>
  ): Effect.Effect<RegisteredApp, InvalidBearer | AccessDenied | MetadataError | TooManyAttempts | E>
  /** Deletes the app with its secrets and grants. */
  remove(clientId: string, token: Redacted.Redacted): Effect.Effect<void, InvalidBearer>
  /** Ends a registration access token that was found in public: the app stays, and nobody manages it by a token. */
  endLeaked(leak: LeakedToken): Effect.Effect<void>
  /** What an app said of itself when it registered; none of one that did not. */
  about(clientId: string): Effect.Effect<Option.Option<RegistrationFacts>>
}>()("slotkey/core/clients/dynamic/DynamicRegistration") {
  static readonly layer = Layer.effect(
    DynamicRegistration,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const catalogue = yield* Catalogue
      const clock = yield* DatabaseClock
      const commands = yield* clientCommands
      const limiter = yield* Limiter
      const repo = yield* ClientsRepo
      const tokens = yield* InitialTokens
      const vault = yield* SecretVault
      const { dynamicRegistration: mode, redirectSchemes, registrationBudget } = yield* AppConfig

      /** Takes the registration off what its sender may cause; answers the initial access token. */
      const admit = Effect.fnUntraced(function*(token: Option.Option<Redacted.Redacted>) {
        if (Option.isSome(token)) {
          const spent = yield* tokens.spend(token.value)
          return Option.isSome(spent) ? spent : yield* wrongInitialToken
        }
        yield* limiter.count(
          limiter.inNetworks(yield* CallerAddress, registrationBudget, "budget", "registration", "address"),
          window
        )
        const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM (SELECT FROM registrations
          WHERE asked_at IS NULL AND initial_token IS NULL LIMIT ${mostUnasked}) unasked`
        return (row?.n ?? 0) < mostUnasked ? Option.none() : yield* tooManyUnasked
      }, Effect.catchTag("SqlError", Effect.die))

      const insert = Effect.fnUntraced(
        function*(token: Option.Option<Redacted.Redacted>, metadata: ClientMetadata) {
          const initialToken = yield* admit(token)
          const now = yield* clock.now
          const id = NewClientId.random()
          const scopes = wishedScopes(catalogue, metadata, now)
          const kind = kindOf(metadata)
          const registration = {
            ...fieldsOf(id, metadata),
            kind,
            scopes,
            optionalScopes: [],
            purpose: unwritten.dynamic
          }
          const client = new ManagedClient({
            ...newClient(nobody, id, registration, Option.none(), now),
            origin: "dynamic"
          })
          yield* repo.insert(client)
          const access = yield* Credential.make("registrationToken")
          yield* sql`INSERT INTO registrations ${
            sql.insert({
              clientId: id,
              digest: Credential.digest(Redacted.value(access)),
              metadata: JSON.stringify(metadata),
              registeredAt: DateTime.toDateUtc(now),
              initialToken: Option.getOrNull(Option.map(initialToken, ({ id }) => id))
            })
          }`
          const by = Option.match(initialToken, { onNone: () => ({}), onSome: ({ name }) => ({ initialToken: name }) })
          yield* audit.record({
            actor: nobody,
            action: "client.registered_itself",
            clientId: id,
            details: by
          })
          const secret = kind === "confidential"
            ? Option.some((yield* Effect.orDie(vault.generateFirst(id))).secret)
            : Option.none()
          return { client, metadata, registeredAt: now, token: access, secret }
        },
        inTransaction(sql)
      )

      const register = Effect.fn("DynamicRegistration.register")(
        function*(
          token: Option.Option<Redacted.Redacted>,
          read: Effect.Effect<ClientMetadata, MetadataError>
        ): Effect.fn.Return<
          NewRegistration,
          InvalidBearer | MetadataError | TooManyAttempts | TemporarilyUnavailable
        > {
          if (Option.isNone(token) ? mode !== "open" : Option.isNone(yield* tokens.find(token.value))) {
            return yield* wrongInitialToken
          }
          return yield* insert(token, yield* read)
        }
      )

      /** App of a registration access token, which is good for this app alone. */
      const authorize = Effect.fnUntraced(function*(clientId: string, token: Redacted.Redacted) {
        const text = Redacted.value(token)
        if (Credential.parse("registrationToken", text) === undefined) return yield* wrongToken
        const found = yield* firstRecord(sql`SELECT ${recordColumns} FROM registrations
          WHERE digest = ${Credential.digest(text)}`)
        const client = Option.isNone(found) ? Option.none() : yield* repo.get(found.value.clientId)
        if (Option.isNone(found) || Option.isNone(client) || client.value.id !== clientId) return yield* wrongToken
        return { ...found.value, client: client.value }
      }, Effect.catchTag("SqlError", Effect.die))

      const replace = Effect.fn("DynamicRegistration.replace")(
        function*<E>(clientId: string, token: Redacted.Redacted, read: Effect.Effect<Update, E>) {
          const { client: { id, kind, status }, registeredAt } = yield* authorize(clientId, token)
          if (status !== "pending" && status !== "approved") return yield* refusedByReview
          const { metadata, secret } = yield* read
          if (kindOf(metadata) !== kind) return yield* metadataError([kindFixed])
          if (secret !== undefined && !(yield* hasSecret(id, secret))) return yield* metadataError([otherSecret])
          yield* limiter.count(
            [{ subject: limiter.subjectOf("budget", "registration", "client", id), limit: mostChanges }],
            window
          )
          const client = yield* commands.run(
            itself,
            id,
            (current, now) =>
              Lifecycle.edit(catalogue, current, editOf(current, metadata, now), now, undefined, redirectSchemes)
          ).pipe(
            Effect.catchTags({
              BadRequest: ({ details = [] }) => Effect.fail(metadataError(details)),
              // It was deleted a moment ago.
              NotFound: () => wrongToken,
              Conflict: Effect.die
            })
          )
          yield* sql`UPDATE registrations SET metadata = ${JSON.stringify(metadata)} WHERE client_id = ${id}`
          return { client, metadata, registeredAt }
        },
        inTransaction(sql)
      )

      const hasSecret = Effect.fnUntraced(function*(id: ClientId, secret: string) {
        const rows = yield* sql`SELECT 1 FROM client_secrets
          WHERE client_id = ${id} AND digest = ${Credential.digest(secret)}`
        return rows.length > 0
      }, Effect.orDie)

      const editOf = (current: ManagedClient, metadata: ClientMetadata, now: DateTime.Utc) => {
        const base = current.change?.isWaiting ? current.change : current
        const wished = wishedScopes(catalogue, metadata, now)
        const logoUrl = base.logoUrl === null && current.status === "pending" ? null : metadata.logo_uri ?? null
        const logo = logoUrl === base.logoUrl ? {} : { logoUrl, logoDigest: null }
        return { ...fieldsOf(current.id, metadata), ...logo, ...(wished.length === 0 ? {} : { scopes: wished }) }
      }

      const about = Effect.fn("DynamicRegistration.about")(
        (clientId: string) =>
          firstFacts(sql`SELECT r.metadata, r.registered_at, r.asked_at, t.name AS initial_token
            FROM registrations r LEFT JOIN initial_tokens t ON t.id = r.initial_token WHERE r.client_id = ${clientId}`),
        Effect.orDie
      )

      return DynamicRegistration.of({
        register,
        read: Effect.fn("DynamicRegistration.read")(authorize),
        replace,
        remove: Effect.fn("DynamicRegistration.remove")(function*(clientId, token) {
          const { client } = yield* authorize(clientId, token)
          yield* Effect.catchTags(commands.remove(itself, client.id), {
            NotFound: () => wrongToken,
            Forbidden: Effect.die
          })
        }),
        endLeaked: Effect.fn("DynamicRegistration.endLeaked")(function*({ by, clientId, foundAt, source }) {
          yield* sql`UPDATE registrations SET digest = ${randomBytes(32)} WHERE client_id = ${clientId}`
          yield* audit.record({
            actor: by,
            action: "registration_token.leaked",
            clientId,
            details: { foundAt, source }
          })
        }, inTransaction(sql)),
        about
      })
    })
  )
}

/** An app that registered by itself, with its metadata as it sent them last. */
export interface RegisteredApp {
  readonly client: ManagedClient
  readonly metadata: ClientMetadata
  readonly registeredAt: DateTime.Utc
}

/** Same with what is shown only once: its registration access token and, of a confidential one, its secret. */
export interface NewRegistration extends RegisteredApp {
  readonly token: Credential.Credential
  readonly secret: Option.Option<Credential.Credential>
}

/** A registration access token that was found in public, and where. */
export interface LeakedToken {
  readonly clientId: ClientId
  readonly by: string
  readonly foundAt: string
  readonly source: string
}

/** Metadata that take the place of others, and the secret that was sent with them, which has to be the app's. */
export interface Update {
  readonly metadata: ClientMetadata
  readonly secret?: string | undefined
}

/** The app itself gives the command; it has no owner. */
const itself: Actor = { id: nobody, as: "owner" }

const window = Duration.hours(1)

/** Changes of one app in an hour: each is another version for its reviewer to look at. */
const mostChanges = 10

/** Apps that registered without a token and that nobody has asked for: more are work for the database alone. */
export const mostUnasked = 10_000

const recordColumns = Column.names(RegistrationRecord.fields)
const firstRecord = Rows.first(RegistrationRecord)
const firstFacts = Rows.first(RegistrationFacts)

const wrongInitialToken = new InvalidBearer({ error_description: "the initial access token is not valid" })
const wrongToken = new InvalidBearer({ error_description: "the registration access token is not valid" })
const refusedByReview = new AccessDenied({
  error_description: "a reviewer has rejected or suspended the app: it cannot be changed"
})
const tooManyUnasked = new TemporarilyUnavailable({
  error_description: "too many apps have registered that nobody uses, try again later"
})
const kindFixed = { path: "token_endpoint_auth_method", message: "makes another kind of client, which never changes" }
const otherSecret = { path: "client_secret", message: "is not the secret of the client" }
