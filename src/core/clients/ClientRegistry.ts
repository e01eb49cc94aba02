import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type BadRequest, Conflict, type NotFound } from "../../domain/ApiError.ts"
import type { Credential } from "../../domain/Credential.ts"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import * as Input from "../../domain/Input.ts"
import { inOrder } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { OwnerChange } from "../../foundation/jobs/kinds/OwnerChange.ts"
import { ReviewNotice } from "../../foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { Budgets } from "../limits/Budgets.ts"
import { type Client, ManagedClient } from "./Client.ts"
import { type Actor, ClientCommands, type Reviewer, stateOf, visible } from "./ClientCommands.ts"
import { clientNotFound } from "./ClientProblems.ts"
import { ClientsRepo, type OwnedPage } from "./ClientsRepo.ts"
import { LegacyUsage } from "./LegacyUsage.ts"
import * as Lifecycle from "./Lifecycle.ts"
import { type Logo, Logos } from "./Logos.ts"
import * as NewClientId from "./NewClientId.ts"
import { kindFaults } from "./RedirectUri.ts"
import { defaultRefreshGrace } from "./RefreshGrace.ts"
import { ClientEdit, type EditInput, Reason, Registration, type RegistrationInput } from "./Registration.ts"
import { type QueueFilter, type QueuePage, ReviewQueue } from "./ReviewQueue.ts"
import { SecretVault } from "./SecretVault.ts"
import { SubmittedLogos } from "./SubmittedLogos.ts"

type Managed<E> = Effect.Effect<ManagedClient, E | NotFound>

/**
 * The registered apps and their review (specification §3): owners register, change and delete their apps, reviewers
 * decide. The portal, the review and the management API call it; `Lifecycle` has the rules. Commands on one app run one
 * after the other, whatever node they reach.
 */
export class ClientRegistry extends Context.Service<ClientRegistry, {
  /** A client in any state. */
  find(id: string): Effect.Effect<Option.Option<Client>>
  /** Finds several by one statement; answers those that there are, by their ids. */
  findAll(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, Client>>
  /**
   * Registers an app, which then waits for review. A confidential one gets its first secret. The same draft sent twice,
   * by a double click, is one app: the second answer has no secret. Fails when a hundred apps of the owner wait already.
   */
  register(
    owner: UserId,
    input: RegistrationInput,
    draft?: string
  ): Effect.Effect<{ client: ManagedClient; secret: Option.Option<Credential> }, BadRequest | Conflict>
  /** The newest first. */
  listOwned(owner: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  /** The same, page by page; `cursor` is the `nextCursor` of the page before. */
  pageOwned(owner: UserId, limit: number, cursor: string | undefined): Effect.Effect<OwnedPage, BadRequest>
  /** An app of this owner; that of another is not found. */
  getOwned(owner: UserId, id: string): Managed<never>
  /**
   * Changes an app, whose logo is fetched if its address is another one. On an approved app, what needs review waits for
   * it, and the approved version serves meanwhile.
   */
  edit(owner: UserId, id: string, input: EditInput): Managed<BadRequest | Conflict>
  /** Takes back the saved scopes of a legacy client, within `LEGACY_UNDO` after they were saved. */
  undoMigration(owner: UserId, id: string, version?: number): Managed<Conflict>
  /** Puts a rejected app into the queue again. */
  resubmit(owner: UserId, id: string): Managed<Conflict>
  /** Takes back a change that waits or was rejected. */
  withdrawChange(owner: UserId, id: string): Managed<Conflict>
  /** Deletes the app with its secrets and grants. */
  remove(owner: UserId, id: string): Effect.Effect<void, NotFound>

  /** The apps with something to decide, the longest waiting first. */
  queue(filter: QueueFilter): Effect.Effect<QueuePage>
  /** The app to look at after this one: the next that waits, in the order of the queue and round to its beginning. */
  nextInQueue(after: ManagedClient): Effect.Effect<Option.Option<ManagedClient>>
  /** Any app, for reviewers. */
  get(id: string): Managed<never>
  /**
   * Approves the app, or the change of it that waits. Fails when `version` is no longer current, and, unless the reviewer
   * confirms that, when scopes of a legacy client would break what was seen of it, or when users could not tell its name from
   * that of an approved app.
   */
  approve(by: Reviewer, id: string, version: number, confirmed?: Confirmed): Managed<Conflict>
  /** Rejects the app, or the change of it that waits, with the reason that the owner reads. */
  reject(by: Reviewer, id: string, reason: string, version: number): Managed<BadRequest | Conflict>
  /** Takes back a rejection, with a reason that the owner reads: the app, or the change of it, waits for review again. */
  undoRejection(by: Reviewer, id: string, reason: string, version: number): Managed<BadRequest | Conflict>
  /** Stops the use of an approved app at once. */
  suspend(by: Reviewer, id: string, reason: string, version?: number): Managed<BadRequest | Conflict>
  resume(by: Reviewer, id: string, version?: number, confirmed?: Pick<Confirmed, "acceptTwins">): Managed<Conflict>
  /** Gives the app to another owner; both get a mail. */
  give(by: Reviewer, id: string, owner: UserId): Managed<Conflict>
  /** Deletes any app with its secrets and grants. */
  removeAny(by: Reviewer, id: string): Effect.Effect<void, NotFound>
}>()("slotkey/core/clients/ClientRegistry") {
  static readonly layer: Layer.Layer<
    ClientRegistry,
    never,
    | SqlClient.SqlClient
    | AppConfig
    | ClientsRepo
    | DatabaseClock
    | SecretVault
    | AuditLog
    | LegacyUsage
    | Logos
    | Outbox
  > = Layer.effect(
    ClientRegistry,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClientsRepo
      const commands = yield* ClientCommands
      const queue = yield* ReviewQueue
      const logos = yield* Logos
      const submitted = yield* SubmittedLogos
      const vault = yield* SecretVault
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const outbox = yield* Outbox
      const usage = yield* LegacyUsage
      const { legacyUndo } = yield* AppConfig

      /** The recent use of a legacy client; of others nothing is counted. */
      const usageOf = Effect.fnUntraced(function*(id: string) {
        const client = Option.filter(yield* repo.find(id), ({ legacy }) => legacy)
        return Option.isSome(client) ? yield* usage.of(client.value.id) : undefined
      })

      const edit = Effect.fn("ClientRegistry.edit")(function*(owner: UserId, id: string, input: EditInput) {
        const edit = yield* Input.decode(ClientEdit)(input).pipe(
          // A form with other mistakes is told of its logo, too, as at the registration.
          Effect.catch(({ details = [] }) =>
            Effect.flatMap(
              submitted.faults(owner, id, input.logoUrl),
              (faults) => Input.invalid([...details, ...faults])
            )
          )
        )
        const seen = edit.scopes === undefined ? undefined : yield* usageOf(id)
        const { logo, ...logoFields } = yield* submitted.edit(owner, id, edit)
        const change = { ...edit, ...logoFields }
        return yield* commands.run(ownerOf(owner), id, (client, now) => Lifecycle.edit(client, change, now, seen)).pipe(
          Effect.tap(({ id }) => logo === undefined ? Effect.void : logos.keep(id, logo)),
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        )
      })

      const insert = Effect.fnUntraced(
        function*(owner: UserId, registration: Registration, logo: Option.Option<Logo>, draft?: string) {
          const id = draft === undefined ? NewClientId.random() : NewClientId.of(owner, draft)
          const client = newClient(owner, id, registration, logo, yield* DateTime.now)
          if (!(yield* repo.insert(client))) {
            return { client: Option.getOrThrow(yield* repo.get(client.id)), secret: Option.none<Credential>() }
          }
          if ((yield* repo.countPending(owner)) > mostPending) return yield* tooManyPending
          if (Option.isSome(logo)) yield* logos.keep(client.id, logo.value)
          yield* audit.record({ actor: owner, action: "client.registered", clientId: client.id })
          yield* outbox.publish(ReviewNotice.make({ clientId: client.id, event: "submitted", state: stateOf(client) }))
          // The first secret of a confidential app is what its registration costs.
          if (client.kind === "confidential") {
            const { secret } = yield* Effect.orDie(vault.generateFirst(client.id))
            return { client, secret: Option.some(secret) }
          }
          yield* budgets.spend("change", owner)
          return { client, secret: Option.none<Credential>() }
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const register = Effect.fn("ClientRegistry.register")(
        function*(owner: UserId, input: RegistrationInput, draft?: string) {
          const decoded = yield* Effect.result(Input.decode(Registration)(input))
          // A form with other mistakes is told of its logo, too: each one that is told later is another round for the developer.
          const logo = yield* Effect.result(submitted.registration(owner, input.logoUrl))
          const faults = [
            ...Input.faultsOf(decoded),
            ...input.kind === "confidential" ? kindFaults(input.kind, input.redirectUris) : [],
            ...Input.faultsOf(logo)
          ]
          if (faults.length > 0) return yield* Input.invalid(faults)
          return yield* insert(owner, yield* Effect.fromResult(decoded), yield* Effect.fromResult(logo), draft)
        }
      )

      return ClientRegistry.of({
        find: repo.find,
        findAll: repo.findAll,
        register,
        listOwned: repo.listOwned,
        pageOwned: repo.pageOwned,
        getOwned: (owner, id) => Effect.flatMap(repo.get(id), (found) => visible(ownerOf(owner), found)),
        edit,
        undoMigration: Effect.fn("ClientRegistry.undoMigration")((owner, id, version) =>
          commands.run(ownerOf(owner), id, (it, now) => Lifecycle.undoMigration(it, version, legacyUndo, now))
        ),
        resubmit: Effect.fn("ClientRegistry.resubmit")((owner, id) =>
          commands.run(ownerOf(owner), id, Lifecycle.resubmit)
        ),
        withdrawChange: Effect.fn("ClientRegistry.withdrawChange")((owner, id) =>
          commands.run(ownerOf(owner), id, Lifecycle.withdraw)
        ),
        remove: (owner, id) => commands.remove(ownerOf(owner), id),
        queue: queue.list,
        nextInQueue: queue.next,
        get: (id) =>
          Effect.flatMap(
            repo.get(id),
            Option.match({ onNone: () => Effect.fail(clientNotFound), onSome: Effect.succeed })
          ),
        approve: Effect.fn("ClientRegistry.approve")(function*(by, id, version, confirmed = {}) {
          const { acceptTwins, breakOldUrls = false } = confirmed
          const seen = breakOldUrls ? undefined : yield* usageOf(id)
          return yield* commands.run(
            reviewer(by),
            id,
            (it, now) => Lifecycle.approve(it, version, now, seen),
            acceptTwins
          )
        }),
        reject: Effect.fn("ClientRegistry.reject")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.reject(it, reason, version, now))
        }),
        undoRejection: Effect.fn("ClientRegistry.undoRejection")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.undoRejection(it, reason, version, now))
        }),
        suspend: Effect.fn("ClientRegistry.suspend")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.suspend(it, reason, version, now))
        }),
        resume: Effect.fn("ClientRegistry.resume")((by, id, version, { acceptTwins } = {}) =>
          commands.run(reviewer(by), id, (client, now) => Lifecycle.resume(client, version, now), acceptTwins)
        ),
        give: Effect.fn("ClientRegistry.give")(
          function*(by, id, owner) {
            const before = yield* Effect.flatMap(repo.lock(id), (found) => visible(reviewer(by), found))
            const client = yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.give(it, owner, now))
            if (before.ownerId === owner) return client
            const tell = (userId: UserId) =>
              outbox.publish(OwnerChange.make({ userId, clientId: client.id, isOwner: userId === owner }))
            yield* tell(owner)
            yield* tell(before.ownerId)
            return client
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),
        removeAny: (by, id) => commands.remove(reviewer(by), id)
      })
    })
  ).pipe(Layer.provide([SubmittedLogos.layer, Budgets.layer, ClientCommands.layer, ReviewQueue.layer]))
}

/** The warnings that a reviewer has confirmed. */
export interface Confirmed {
  /** Scopes of a legacy client break what was seen of it. */
  readonly breakOldUrls?: boolean | undefined
  /** The approved apps, by id, from which users will not tell this one by its name. */
  readonly acceptTwins?: ReadonlyArray<string> | undefined
}

// Each registration is work for every reviewer.
const mostPending = 100
const tooManyPending = new Conflict({
  code: "too_many_pending",
  message: `${mostPending} of your apps wait for review. Register more when some of them were reviewed.`
})

const ownerOf = (id: UserId): Actor => ({ id, as: "owner" })
const reviewer = (id: Reviewer): Actor => ({ id, as: "reviewer" })

const decodeReason = Input.decode(Schema.Struct({ reason: Reason }))

const newClient = (
  ownerId: UserId,
  id: ClientId,
  registration: Registration,
  logo: Option.Option<Logo>,
  now: DateTime.Utc
): ManagedClient =>
  new ManagedClient({
    logoUrl: null,
    ...registration,
    logoDigest: Option.getOrNull(Option.map(logo, ({ digest }) => digest)),
    scopes: inOrder(registration.scopes),
    id,
    ownerId,
    refreshGrace: defaultRefreshGrace(registration.kind),
    legacy: false,
    status: "pending",
    rejectionReason: null,
    submittedAt: now,
    reviewedAt: null,
    createdAt: now,
    updatedAt: now,
    migratedAt: null,
    scopeWords: [],
    version: 1,
    change: null
  })
