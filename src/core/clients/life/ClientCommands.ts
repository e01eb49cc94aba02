import { DateTime, Effect, Option, type Result } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict, type Forbidden, type NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import type { PendingJob } from "../../../foundation/jobs/Job.ts"
import { OwnerChange } from "../../../foundation/jobs/kinds/OwnerChange.ts"
import { type ClientState, ReviewNotice } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog, type NewEntry } from "../../audit/AuditLog.ts"
import type { Operator } from "../../audit/Operator.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { AppEvents } from "../events/AppEvents.ts"
import { appAccess, type AppAct } from "../records/AppAccess.ts"
import type { Client, ManagedClient } from "../records/Client.ts"
import { clientNotFound } from "../records/ClientProblems.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { nobody } from "../records/Nobody.ts"
import { differences } from "./ChangeDiff.ts"
import { nameTwins } from "./NameTwins.ts"
import { newOwner } from "./NewOwner.ts"
import { openReview } from "./OpenReview.ts"
import { testStanding } from "./TestStanding.ts"
import { transferOf } from "./Transfer.ts"
import type { Transition } from "./Transition.ts"

/** Who decides about apps: the account of a reviewer, or an operator on the command line. */
export type Reviewer = UserId | Operator

/**
 * Who gives a command: somebody with a part in the app, which does not exist for others, a reviewer, or what an app
 * says of itself.
 */
export type Actor =
  | { readonly id: UserId; readonly as: "owner" }
  | { readonly id: Reviewer; readonly as: "reviewer" }
  | { readonly id: "slotkey"; readonly as: "document" }

/** Publishes the notice of an event, before the next version of the client is saved. */
export type Tell = (before: ManagedClient, transition: Transition, notice: PendingJob) => Effect.Effect<void>

interface Options {
  /** Approved apps, by id, from which users will not tell this one by its name. */
  readonly acceptTwins?: ReadonlyArray<string> | undefined
  /** What the trail says beside what follows from the transition. */
  readonly details?: NewEntry["details"]
  readonly tell?: Tell
}

/** Rule of a command: one of `Lifecycle`. */
type Decide<E> = (client: ManagedClient, now: DateTime.Utc) => Result.Result<Transition | undefined, E>

/**
 * Runs commands on clients for `ClientRegistry` and `ClientReview`, under the client's row lock: those on one client
 * run one after the other, whatever node they reach.
 */
export const clientCommands = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* ClientsRepo
  const audit = yield* AuditLog
  const budgets = yield* Budgets
  const events = yield* AppEvents
  const outbox = yield* Outbox
  const twins = yield* nameTwins
  const open = yield* openReview
  const tests = yield* testStanding
  const access = yield* appAccess
  const visible = yield* visibility
  const passOn = yield* newOwner

  const persist = Effect.fnUntraced(function*(
    actor: Actor,
    before: ManagedClient,
    transition: Transition,
    { details: more, tell = (_before, _transition, notice) => outbox.publish(notice) }: Options
  ) {
    const { action, client, details, event, leftOut } = transition
    if (event !== null) {
      const { reason } = details
      const wanted = event === "change-approved" ? client : before.change
      yield* tell(
        before,
        transition,
        ReviewNotice.make({
          clientId: client.id,
          event,
          state: stateOf(client),
          ...(wanted === null ? {} : { changes: differences(before, wanted) }),
          ...(transferOf(before, transition)),
          ...(leftOut.length === 0 ? {} : { leftOut }),
          ...(reason === undefined ? {} : { reason })
        })
      )
    }
    yield* repo.save(client)
    if (client.ownerId !== before.ownerId) yield* passOn(before, transition)
    if (client.status !== before.status) yield* tests.follow(client.id)
    if (!client.isWaiting) yield* open.end(client.id)
    else if (actor.as === "owner") yield* open.answered(client.id)
    yield* audit.record({
      actor: actor.id,
      action,
      clientId: client.id,
      details: { ...details, ...more, version: client.version }
    })
  })

  /** Requires confirmation of look-alike names, and records what was accepted. */
  const claimName = Effect.fnUntraced(function*(
    current: ManagedClient,
    transition: Transition,
    acceptTwins: ReadonlyArray<string>
  ) {
    const { client, details, event } = transition
    // The first approval of an app that came approved is the first look at its name.
    const isFirst = event === "change-approved" && current.reviewedAt === null
    const isKnown = current.status === "approved" && current.name === client.name && !isFirst
    if (client.status !== "approved" || isKnown) return transition
    const accepted = yield* twins.claim(client, acceptTwins)
    if (accepted.length === 0) return transition
    return { ...transition, details: { ...details, acceptedTwins: accepted.map(({ id }) => id).join(" ") } }
  })

  /**
   * Locks the client, decides, and commits the next version, its audit entry and its notice in one transaction. Fails
   * when users would meet an approved app by a name whose twins were not accepted (`NameTwins`).
   */
  const run = <E>(
    actor: Actor,
    id: string,
    decide: Decide<E>,
    options: Options = {}
  ): Effect.Effect<ManagedClient, E | NotFound | Conflict> =>
    runOn(Effect.flatMap(repo.lock(id), (found) => visible(actor, found)), actor, decide, options)

  /** Same for what not everybody who has a part in the app may do. */
  const runAs = <E>(
    act: AppAct,
    owner: UserId,
    id: string,
    decide: Decide<E>
  ): Effect.Effect<ManagedClient, E | NotFound | Forbidden | Conflict> =>
    runOn(
      Effect.flatMap(repo.lock(id), (found) => access.allow(owner, found, act)),
      { id: owner, as: "owner" },
      decide,
      {}
    )

  const runOn = <E, E2>(
    locked: Effect.Effect<ManagedClient, E2>,
    actor: Actor,
    decide: Decide<E>,
    options: Options
  ): Effect.Effect<ManagedClient, E | E2 | Conflict> =>
    Effect.gen(function*() {
      const current = yield* locked
      if (current.isTestApp) return yield* followsItsApp
      const transition = yield* Effect.fromResult(decide(current, yield* DateTime.now))
      if (transition === undefined) return current
      // Apps without an owner must not use up each other's budget; what they do has limits of its own.
      if (actor.as === "owner" && actor.id !== nobody) yield* budgets.spend("change", actor.id)
      yield* persist(actor, current, yield* claimName(current, transition, options.acceptTwins ?? []), options)
      return transition.client
    }).pipe(inTransaction(sql))

  /** Deletes the client with everything that depends on it: secrets, codes, grants, its test app. */
  const remove = Effect.fn("ClientCommands.remove")(
    function*(actor: Actor, id: string): Effect.fn.Return<void, NotFound | Forbidden> {
      const found = yield* repo.lock(id)
      const client = yield* (actor.as === "owner" ? access.allow(actor.id, found, "delete") : visible(actor, found))
      const { id: clientId, name, status, testOf } = client
      const others = (yield* access.peopleWho("use", client)).filter((userId) => userId !== actor.id)
      yield* events.appDeleted(clientId)
      yield* repo.remove(clientId)
      yield* audit.record(
        typeof testOf === "string"
          ? { actor: actor.id, action: "test_app.ended", clientId: testOf, details: { testApp: clientId } }
          : { actor: actor.id, action: "client.deleted", clientId, details: { name, status } }
      )
      if (client.isTestApp || others.every((userId) => userId === client.ownerId)) return
      yield* outbox.publishAll(
        others.map((userId) =>
          OwnerChange.make({
            userId,
            clientId,
            isOwner: false,
            event: "deleted",
            app: { name, website: client.website }
          })
        )
      )
    },
    inTransaction(sql)
  )

  return { run, runAs, remove }
})

const followsItsApp = new Conflict({
  code: "test_app",
  message: "A test app has what its app has: change that, and reset the test app."
})

/** Client as the notice of an event tells of it. */
export const stateOf = ({ name, status, website }: Client): ClientState => ({ name, website, status })

/** Makes what answers a client if it exists and the actor may know of it. */
export const visibility = Effect.map(
  appAccess,
  ({ see }) => (actor: Actor, found: Option.Option<ManagedClient>): Effect.Effect<ManagedClient, NotFound> =>
    actor.as === "owner"
      ? see(actor.id, found)
      : Option.isSome(found)
      ? Effect.succeed(found.value)
      : Effect.fail(clientNotFound)
)
