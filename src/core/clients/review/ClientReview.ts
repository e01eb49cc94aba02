import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest, Conflict, NotFound } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { OwnerChange } from "../../../foundation/jobs/kinds/OwnerChange.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { operator } from "../../audit/Operator.ts"
import { approvalRevocation } from "../../grants/ApprovalRevocation.ts"
import { type Actor, clientCommands, type Reviewer, visibility } from "../life/ClientCommands.ts"
import { recentUse } from "../life/LegacyUsage.ts"
import * as Lifecycle from "../life/Lifecycle.ts"
import { Reason } from "../life/Registration.ts"
import { stale, type TransitionResult } from "../life/Transition.ts"
import { undo } from "../life/Undoing.ts"
import type { ManagedClient } from "../records/Client.ts"
import { clientNotFound } from "../records/ClientProblems.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import type { FirstApproval, Undoable } from "./Decision.ts"
import { decisionStore } from "./DecisionStore.ts"
import { inheritance } from "./Inheritance.ts"
import { type QueueFilter, type QueuePage, reviewQueue } from "./ReviewQueue.ts"
import { shown } from "./Shown.ts"
import { twoPeople } from "./TwoPeople.ts"
import { givableBefore, mayUndo, tooLate } from "./UndoRules.ts"

type Managed<E> = Effect.Effect<ManagedClient, E | NotFound>

/**
 * Decisions about apps of any owner (specification §3): reviewers approve, reject and suspend, operators give and
 * delete. The review in a browser and by the API and the command line call it, and what takes an account away;
 * `Lifecycle` has the rules. Commands on one app run one after the other, whatever node they reach.
 */
export class ClientReview extends Context.Service<ClientReview, {
  /** Apps with something to decide, the longest waiting first. */
  queue(filter: QueueFilter): Effect.Effect<QueuePage>
  /**
   * App for this reviewer to look at after this one: the next that waits and that nobody else has claimed, in the order
   * of the queue and round to its beginning.
   */
  nextInQueue(reviewer: UserId, after: ManagedClient): Effect.Effect<Option.Option<ManagedClient>>
  /** Any app, for reviewers. */
  get(id: string): Managed<never>
  /** Those of these apps that exist. */
  find(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ManagedClient>>
  /**
   * Approves the app, or the change of it that waits. Fails when `version` is no longer current, and, unless the
   * reviewer confirms that, when scopes of a legacy client would break what was seen of it, or when users could not
   * tell its name from an approved app's.
   */
  approve(by: Reviewer, id: string, version: number, confirmed?: Confirmed): Managed<BadRequest | Conflict>
  /** Rejects the app, or the change of it that waits, with the reason that the owner reads. */
  reject(by: Reviewer, id: string, reason: string, version: number): Managed<BadRequest | Conflict>
  /**
   * Takes back a rejection, with a reason that the owner reads: the app, or the change of it, waits for review again.
   */
  undoRejection(by: Reviewer, id: string, reason: string, version: number): Managed<BadRequest | Conflict>
  /** Stops the use of an approved app at once. */
  suspend(by: Reviewer, id: string, reason: string, version?: number): Managed<BadRequest | Conflict>
  resume(by: Reviewer, id: string, version?: number, confirmed?: Pick<Confirmed, "acceptTwins">): Managed<Conflict>
  /**
   * Takes back the last decision about the app, of the same reviewer and within `REVIEW_UNDO_WINDOW`, or their first of
   * two approvals: the app is as it was, nobody hears of the decision, and what users gave because of it ends.
   */
  undo(by: UserId, id: string, version: number, confirmed?: Pick<Confirmed, "acceptTwins">): Managed<Conflict>
  /** Decisions that the reviewer may take back, the newest first. */
  undoable(by: UserId): Effect.Effect<ReadonlyArray<Undoable>>
  /** First of two approvals of what waits, if it has been given (`REVIEW_TWO_PEOPLE`). */
  firstApproval(client: ManagedClient): Effect.Effect<Option.Option<FirstApproval>>
  /** Gives the app to another owner; both get a mail. */
  give(by: Reviewer, id: string, owner: UserId): Managed<Conflict>
  /**
   * Gives each app of a first owner who leaves the platform to the longest-standing co-owner who may do everything, and
   * tells them; answers those apps. Reviewers hear of them, and of those that nobody can look after. Joins the caller's
   * transaction, which takes the account away.
   */
  passOn(by: Reviewer, owner: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  /** Apps of this first owner that a co-owner would get, with who that is. */
  heirs(owner: UserId): Effect.Effect<ReadonlyMap<string, UserId>>
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
      const visible = yield* visibility
      const estate = yield* inheritance
      const queue = yield* reviewQueue
      const outbox = yield* Outbox
      const usageOf = yield* recentUse
      const decisions = yield* decisionStore
      const people = yield* twoPeople
      const shownOf = yield* shown
      const approval = yield* approvalRevocation

      const lock = (by: Reviewer, id: string) => Effect.flatMap(repo.lock(id), (found) => visible(reviewer(by), found))

      const get = (id: string) =>
        Effect.flatMap(
          repo.get(id),
          Option.match({ onNone: () => Effect.fail(clientNotFound), onSome: Effect.succeed })
        )

      /** Makes a decision, which its reviewer may take back for a while; one of an operator stands. */
      const decide = Effect.fnUntraced(function*<E>(
        by: Reviewer,
        id: string,
        rule: Rule<E>,
        { acceptTwins, isEnough }: Pick<Confirmed, "acceptTwins"> & { readonly isEnough?: typeof people.isEnough } = {}
      ) {
        const details = yield* shownOf(yield* get(id), by)
        const tell = by === operator ? {} : { tell: decisions.keep(by) }
        const decided = commands.run(reviewer(by), id, rule, { acceptTwins, details, ...tell })
        return yield* Effect.gen(function*() {
          const current = yield* lock(by, id)
          const transition = yield* Effect.fromResult(rule(current, yield* DateTime.now))
          if (transition === undefined) return current
          if (isEnough !== undefined && !(yield* isEnough(by, current, transition, details))) return current
          yield* people.forget(id)
          return yield* decided
        }).pipe(inTransaction(sql))
      })

      return ClientReview.of({
        queue: queue.list,
        nextInQueue: queue.next,
        get,
        find: (ids) => Effect.flatMap(repo.findAll(ids), (found) => repo.withChanges([...found.values()])),
        approve: Effect.fn("ClientReview.approve")(function*(by, id, version, confirmed = {}) {
          const { acceptTwins, breakOldUrls = false, without } = confirmed
          const seen = breakOldUrls ? undefined : yield* usageOf(id)
          return yield* decide(
            by,
            id,
            (it, now) => Lifecycle.approve(catalogue, it, version, now, seen, without),
            { acceptTwins, isEnough: people.isEnough }
          )
        }),
        reject: Effect.fn("ClientReview.reject")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* decide(by, id, (it, now) => Lifecycle.reject(it, reason, version, now))
        }),
        undoRejection: Effect.fn("ClientReview.undoRejection")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* commands.run(reviewer(by), id, (it, now) => Lifecycle.undoRejection(it, reason, version, now))
        }),
        suspend: Effect.fn("ClientReview.suspend")(function*(by, id, text, version) {
          const { reason } = yield* decodeReason({ reason: text })
          return yield* decide(by, id, (it, now) => Lifecycle.suspend(it, reason, version, now))
        }),
        resume: Effect.fn("ClientReview.resume")((by, id, version, { acceptTwins } = {}) =>
          Effect.andThen(
            Effect.flatMap(get(id), (client) => people.requireAnother(by, client)),
            decide(by, id, (client, now) => Lifecycle.resume(client, version, now), { acceptTwins })
          )
        ),
        undo: Effect.fn("ClientReview.undo")(
          function*(by, id, version, { acceptTwins } = {}) {
            const current = yield* lock(by, id)
            if (version !== current.version) return yield* Effect.fromResult(stale)
            if (yield* people.withdraw(by, current)) return current
            const found = yield* decisions.last(current.id)
            const decision = yield* Effect.fromResult(mayUndo(by, current, Option.getOrUndefined(found)))
            if (!(yield* outbox.withdraw(decision.notices))) return yield* tooLate
            const before = givableBefore(catalogue, decision, current)
            const details = before === undefined
              ? {}
              : { endedGrants: yield* approval.end({ clientId: current.id, since: decision.at, before }) }
            yield* decisions.markUndone(decision)
            return yield* commands.run(reviewer(by), id, (it, now) => undo(it, decision, now), { acceptTwins, details })
          },
          inTransaction(sql)
        ),
        undoable: decisions.undoable,
        firstApproval: people.first,
        give: Effect.fn("ClientReview.give")(
          function*(by, id, owner) {
            const before = yield* lock(by, id)
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
        passOn: estate.passOn,
        heirs: estate.heirs,
        remove: (by, id) => Effect.catchTag(commands.remove(reviewer(by), id), "Forbidden", Effect.die)
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
  /** Scopes that the approval leaves out. */
  readonly without?: ReadonlyArray<string> | undefined
}

type Rule<E> = (client: ManagedClient, now: DateTime.Utc) => TransitionResult<E>

const reviewer = (id: Reviewer): Actor => ({ id, as: "reviewer" })

const decodeReason = Input.decode(Schema.Struct({ reason: Reason }))
