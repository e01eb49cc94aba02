import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest, Conflict, NotFound } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { OwnerChange } from "../../../foundation/jobs/kinds/OwnerChange.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { type Actor, clientCommands, type Reviewer, visible } from "../life/ClientCommands.ts"
import { recentUse } from "../life/LegacyUsage.ts"
import * as Lifecycle from "../life/Lifecycle.ts"
import { Reason } from "../life/Registration.ts"
import type { ManagedClient } from "../records/Client.ts"
import { clientNotFound } from "../records/ClientProblems.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { type QueueFilter, type QueuePage, reviewQueue } from "./ReviewQueue.ts"

type Managed<E> = Effect.Effect<ManagedClient, E | NotFound>

/**
 * Decisions about apps of any owner (specification §3): reviewers approve, reject and suspend, operators give and
 * delete. The review in a browser and by the API and the command line call it, and the deletion of an account;
 * `Lifecycle` has the rules. Commands on one app run one after the other, whatever node they reach.
 */
export class ClientReview extends Context.Service<ClientReview, {
  /** Apps with something to decide, the longest waiting first. */
  queue(filter: QueueFilter): Effect.Effect<QueuePage>
  /** App to look at after this one: the next that waits, in the order of the queue and round to its beginning. */
  nextInQueue(after: ManagedClient): Effect.Effect<Option.Option<ManagedClient>>
  /** Any app, for reviewers. */
  get(id: string): Managed<never>
  /**
   * Approves the app, or the change of it that waits. Fails when `version` is no longer current, and, unless the
   * reviewer confirms that, when scopes of a legacy client would break what was seen of it, or when users could not
   * tell its name from an approved app's.
   */
  approve(by: Reviewer, id: string, version: number, confirmed?: Confirmed): Managed<Conflict>
  /** Rejects the app, or the change of it that waits, with the reason that the owner reads. */
  reject(by: Reviewer, id: string, reason: string, version: number): Managed<BadRequest | Conflict>
  /**
   * Takes back a rejection, with a reason that the owner reads: the app, or the change of it, waits for review again.
   */
  undoRejection(by: Reviewer, id: string, reason: string, version: number): Managed<BadRequest | Conflict>
  /** Stops the use of an approved app at once. */
  suspend(by: Reviewer, id: string, reason: string, version?: number): Managed<BadRequest | Conflict>
  resume(by: Reviewer, id: string, version?: number, confirmed?: Pick<Confirmed, "acceptTwins">): Managed<Conflict>
  /** Gives the app to another owner; both get a mail. */
  give(by: Reviewer, id: string, owner: UserId): Managed<Conflict>
  /** Deletes any app with its secrets and grants. */
  remove(by: Reviewer, id: string): Effect.Effect<void, NotFound>
}>()("slotkey/core/clients/review/ClientReview") {
  static readonly layer = Layer.effect(
    ClientReview,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalogue = yield* Catalogue
      const repo = yield* ClientsRepo
      const commands = yield* clientCommands
      const queue = yield* reviewQueue
      const outbox = yield* Outbox
      const usageOf = yield* recentUse

      return ClientReview.of({
        queue: queue.list,
        nextInQueue: queue.next,
        get: (id) =>
          Effect.flatMap(
            repo.get(id),
            Option.match({ onNone: () => Effect.fail(clientNotFound), onSome: Effect.succeed })
          ),
        approve: Effect.fn("ClientReview.approve")(function*(by, id, version, confirmed = {}) {
          const { acceptTwins, breakOldUrls = false } = confirmed
          const seen = breakOldUrls ? undefined : yield* usageOf(id)
          return yield* commands.run(
            reviewer(by),
            id,
            (it, now) => Lifecycle.approve(catalogue, it, version, now, seen),
            acceptTwins
          )
        }),
        reject: Effect.fn("ClientReview.reject")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.reject(it, reason, version, now))
        }),
        undoRejection: Effect.fn("ClientReview.undoRejection")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.undoRejection(it, reason, version, now))
        }),
        suspend: Effect.fn("ClientReview.suspend")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.suspend(it, reason, version, now))
        }),
        resume: Effect.fn("ClientReview.resume")((by, id, version, { acceptTwins } = {}) =>
          commands.run(reviewer(by), id, (client, now) => Lifecycle.resume(client, version, now), acceptTwins)
        ),
        give: Effect.fn("ClientReview.give")(
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
          inTransaction(sql)
        ),
        remove: (by, id) => commands.remove(reviewer(by), id)
      })
    })
  )
}

/** Warnings that a reviewer has confirmed. */
export interface Confirmed {
  /** Scopes of a legacy client break what was seen of it. */
  readonly breakOldUrls?: boolean | undefined
  /** Approved apps, by id, from which users will not tell this one by its name. */
  readonly acceptTwins?: ReadonlyArray<string> | undefined
}

const reviewer = (id: Reviewer): Actor => ({ id, as: "reviewer" })

const decodeReason = Input.decode(Schema.Struct({ reason: Reason }))
