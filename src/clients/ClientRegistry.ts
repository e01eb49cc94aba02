import { Context, DateTime, Effect, Layer, Option, type Result, Schema, SchemaIssue } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { AuditLog } from "../audit/AuditLog.ts"
import { type BadRequest, type Conflict, NotFound } from "../domain/ApiError.ts"
import type { Credential } from "../domain/Credential.ts"
import { ClientId, type UserId } from "../domain/Ids.ts"
import { Outbox } from "../jobs/Outbox.ts"
import { ReviewNotice } from "../jobs/ReviewNotice.ts"
import { inOrder } from "../scopes/Scope.ts"
import { SecretVault } from "../secrets/SecretVault.ts"
import { Client, ManagedClient } from "./Client.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import * as Lifecycle from "./Lifecycle.ts"
import { misfit } from "./RedirectUri.ts"
import { ClientEdit, Reason, Registration } from "./Registration.ts"

/** A registration as it arrives; the registry decodes it (`Registration`). */
export interface RegistrationInput {
  readonly kind: string
  readonly name: string
  readonly purpose: string
  readonly website: string
  readonly logoUrl?: string | null
  readonly redirectUris: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
}

/** An edit as it arrives; the registry decodes it (`ClientEdit`). */
export interface EditInput extends Partial<Omit<RegistrationInput, "kind">> {
  readonly version?: number
}

type Managed<E> = Effect.Effect<ManagedClient, E | NotFound>

/** The registered apps and their review. Commands on one app run one after the other, whatever node they reach. */
export class ClientRegistry extends Context.Service<ClientRegistry, {
  /** A client in any state. */
  find(id: string): Effect.Effect<Option.Option<Client>>
  /** Registers an app; it waits for review. A confidential one gets its first secret. */
  register(
    owner: UserId,
    input: RegistrationInput
  ): Effect.Effect<{ client: ManagedClient; secret: Option.Option<Credential> }, BadRequest>
  listOwned(owner: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  /** An app of this owner; that of another is not found. */
  getOwned(owner: UserId, id: string): Managed<never>
  edit(owner: UserId, id: string, input: EditInput): Managed<BadRequest | Conflict>
  /** Puts a rejected app into the queue again. */
  resubmit(owner: UserId, id: string): Managed<Conflict>
  /** Takes back a change that waits or was refused. */
  withdrawChange(owner: UserId, id: string): Managed<Conflict>
  /** Deletes the app with its secrets and grants. */
  remove(owner: UserId, id: string): Effect.Effect<void, NotFound>

  /** Any app, for administrators. */
  get(id: string): Managed<never>
  /** Approves the app, or the change of it that waits. Fails when `version` is no longer current. */
  approve(admin: UserId, id: string, version: number): Managed<Conflict>
  /** Rejects the app, or the change of it that waits, with the reason that the owner reads. */
  reject(admin: UserId, id: string, reason: string, version: number): Managed<BadRequest | Conflict>
  /** Stops the use of an approved app at once. */
  suspend(admin: UserId, id: string, reason: string, version?: number): Managed<BadRequest | Conflict>
  resume(admin: UserId, id: string, version?: number): Managed<Conflict>
}>()("slotkey/clients/ClientRegistry") {
  static readonly layer: Layer.Layer<
    ClientRegistry,
    never,
    SqlClient.SqlClient | SecretVault | AuditLog | Outbox
  > = Layer.effect(
    ClientRegistry,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClientsRepo
      const vault = yield* SecretVault
      const audit = yield* AuditLog
      const outbox = yield* Outbox

      const existing = Effect.flatMap<Option.Option<ManagedClient>, ManagedClient, NotFound, never>(
        Option.match({ onNone: () => Effect.fail(notFound), onSome: Effect.succeed })
      )
      const mine = (owner: UserId) => (client: ManagedClient) =>
        client.ownerId === owner ? Effect.succeed(client) : Effect.fail(notFound)

      /** Locks the client, decides, and keeps the outcome, its audit entry and its notice together. */
      const command = <E>(
        actor: UserId,
        id: string,
        guard: (client: ManagedClient) => Effect.Effect<ManagedClient, NotFound>,
        decide: (client: ManagedClient, now: DateTime.Utc) => Result.Result<Lifecycle.Outcome, E>
      ): Effect.Effect<ManagedClient, E | NotFound> =>
        Effect.gen(function*() {
          const current = yield* repo.lock(id).pipe(existing, Effect.flatMap(guard))
          const outcome = yield* Effect.fromResult(decide(current, yield* DateTime.now))
          yield* repo.save(outcome.client)
          const { action, client, details, event } = outcome
          yield* audit.record({ actor, action, clientId: client.id, details: { ...details, version: client.version } })
          if (event !== null) {
            const reason = details["reason"]
            yield* outbox.publish(ReviewNotice.make({
              clientId: client.id,
              event,
              ...(typeof reason === "string" ? { reason } : {})
            }))
          }
          return client
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))

      const register = Effect.fn("ClientRegistry.register")(
        function*(owner: UserId, input: RegistrationInput) {
          const registration = yield* decode(Registration)(input)
          const details = registration.redirectUris.flatMap((uri, at) => {
            const message = misfit(registration.kind, uri)
            return message === undefined ? [] : [{ path: `redirectUris.${at}`, message }]
          })
          if (details.length > 0) return yield* Lifecycle.unfit(details)
          const now = yield* DateTime.now
          const client = new ManagedClient({
            logoUrl: null,
            ...registration,
            scopes: inOrder(registration.scopes),
            id: ClientId.make(`slk_client_${randomBytes(12).toString("hex")}`),
            ownerId: owner,
            legacy: false,
            status: "pending",
            rejectionReason: null,
            submittedAt: now,
            reviewedAt: null,
            createdAt: now,
            updatedAt: now,
            version: 1,
            change: null
          })
          yield* repo.insert(client)
          yield* audit.record({ actor: owner, action: "client.registered", clientId: client.id })
          yield* outbox.publish(ReviewNotice.make({ clientId: client.id, event: "submitted" }))
          const secret = client.kind === "public"
            ? Option.none<Credential>()
            : Option.some((yield* Effect.orDie(vault.generate(client.id))).secret)
          return { client, secret }
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const remove = Effect.fn("ClientRegistry.remove")(
        function*(owner: UserId, id: string) {
          const client = yield* repo.lock(id).pipe(existing, Effect.flatMap(mine(owner)))
          // Grants, codes and secrets go with the row.
          yield* repo.remove(client.id)
          const { name, status } = client
          yield* audit.record({
            actor: owner,
            action: "client.deleted",
            clientId: client.id,
            details: { name, status }
          })
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const any = Effect.succeed<ManagedClient>
      return ClientRegistry.of({
        find: repo.find,
        register,
        remove,
        listOwned: repo.listOwned,
        getOwned: (owner, id) => repo.get(id).pipe(existing, Effect.flatMap(mine(owner))),
        get: (id) => existing(repo.get(id)),
        edit: Effect.fn("ClientRegistry.edit")(function*(owner, id, input) {
          const edit = yield* decode(ClientEdit)(input)
          return yield* command(owner, id, mine(owner), (client, now) => Lifecycle.edit(client, edit, now))
        }),
        resubmit: Effect.fn("ClientRegistry.resubmit")((owner, id) =>
          command(owner, id, mine(owner), Lifecycle.resubmit)
        ),
        withdrawChange: Effect.fn("ClientRegistry.withdrawChange")((owner, id) =>
          command(owner, id, mine(owner), Lifecycle.withdraw)
        ),
        approve: Effect.fn("ClientRegistry.approve")((admin, id, version) =>
          command(admin, id, any, (client, now) => Lifecycle.approve(client, version, now))
        ),
        reject: Effect.fn("ClientRegistry.reject")(function*(admin, id, text, version) {
          const { reason } = yield* decode(Schema.Struct({ reason: Reason }))({ reason: text })
          return yield* command(admin, id, any, (client, now) => Lifecycle.reject(client, reason, version, now))
        }),
        suspend: Effect.fn("ClientRegistry.suspend")(function*(admin, id, text, version) {
          const { reason } = yield* decode(Schema.Struct({ reason: Reason }))({ reason: text })
          return yield* command(admin, id, any, (client, now) => Lifecycle.suspend(client, reason, version, now))
        }),
        resume: Effect.fn("ClientRegistry.resume")((admin, id, version) =>
          command(admin, id, any, (client, now) => Lifecycle.resume(client, version, now))
        )
      })
    })
  ).pipe(Layer.provide(ClientsRepo.layer))
}

const notFound = new NotFound({ code: "client_not_found", message: "There is no such app." })

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Decodes with an entry for each field at fault. */
const decode =
  <S extends Schema.Decoder<unknown>>(schema: S) => (input: unknown): Effect.Effect<S["Type"], BadRequest> =>
    Schema.decodeUnknownEffect(schema)(input, { errors: "all" }).pipe(
      Effect.mapError(({ issue }) =>
        Lifecycle.unfit(
          format(issue).issues.map(({ message, path = [] }) => ({ path: path.map(String).join("."), message }))
        )
      )
    )
