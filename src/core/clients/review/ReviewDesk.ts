import { Context, type Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type BadRequest, Conflict, type NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { ReviewNotice } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { type Actor, stateOf, visibility } from "../life/ClientCommands.ts"
import { openReview } from "../life/OpenReview.ts"
import { isWithoutOwner, type ManagedClient } from "../records/Client.ts"
import { clientNotFound } from "../records/ClientProblems.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import type { Claim } from "./Claim.ts"
import { claims } from "./Claims.ts"
import { type MessageKind, MessageText, type OwnerMessage, type ReviewMessage } from "./ReviewMessage.ts"
import { reviewMessages } from "./ReviewMessages.ts"
import { usualReview } from "./UsualReview.ts"
import type { Waiting } from "./Waiting.ts"
import { waitingPlace } from "./WaitingPlace.ts"

/** What was written about an app, the oldest first. */
export interface Thread<Message> {
  readonly messages: ReadonlyArray<Message>
  /** True while the owner has a question to answer: the clock stands, and reviewers do not wait for the app. */
  readonly isAsked: boolean
  /** True while the owner may write: the app waits for review, and a reviewer has asked. */
  readonly takesAnswers: boolean
}

type Said<Message> = Effect.Effect<Message, BadRequest | Conflict | NotFound>

/**
 * How reviewers work together on an app, and how they talk with its owner (docs/decisions/review.md). The pages and
 * the API of the review and of developers call it. Nothing here decides about an app: that is `ClientReview`.
 */
export class ReviewDesk extends Context.Service<ReviewDesk, {
  /**
   * Claims the app for an hour, or for another one. Fails with 409 `claimed` when another reviewer has it: to take it
   * over, `from` names who that is.
   */
  claim(by: UserId, id: string, from?: string): Effect.Effect<Claim, Conflict | NotFound>
  /** Ends one's own claim; another's stays. */
  release(by: UserId, id: string): Effect.Effect<void, NotFound>
  claimOf(id: string): Effect.Effect<Option.Option<Claim>, NotFound>
  /** Thread of an app for reviewers, with their notes. */
  thread(id: string): Effect.Effect<Thread<ReviewMessage>, NotFound>
  /** Same for the owner: questions and answers. */
  threadOf(owner: UserId, id: string): Effect.Effect<Thread<OwnerMessage>, NotFound>
  /** Place in the queue of an app that waits, for its owner. */
  waiting(client: ManagedClient): Effect.Effect<Option.Option<Waiting>>
  /** Time that a review takes, if that can be said. */
  readonly usualReview: Effect.Effect<Option.Option<Duration.Duration>>
  /** Writes what only reviewers read. */
  note(by: UserId, id: string, text: string): Said<ReviewMessage>
  /** Asks the owner of an app that waits, who gets a mail; the clock stops until they answer or edit the app. */
  ask(by: UserId, id: string, text: string): Said<ReviewMessage>
  /** Answers, or adds to the answer; the digest tells reviewers, and the app is at the top of the queue. */
  answer(owner: UserId, id: string, text: string): Said<OwnerMessage>
}>()("slotkey/core/clients/review/ReviewDesk") {
  static readonly layer = Layer.effect(
    ReviewDesk,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClientsRepo
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const outbox = yield* Outbox
      const open = yield* openReview
      const claim = yield* claims
      const messages = yield* reviewMessages
      const waiting = yield* waitingPlace
      const usual = yield* usualReview
      const visible = yield* visibility

      const any = (id: string) => Effect.flatMap(repo.get(id), orNotFound)

      const threadAbout = Effect.fnUntraced(function*(client: ManagedClient) {
        const question = yield* open.question(client.id)
        return {
          messages: yield* messages.list(client.id),
          isAsked: client.isWaiting && question === "open",
          takesAnswers: client.isWaiting && question !== "none"
        }
      })

      /** Writes under the app's row lock, so that no decision comes between what is said and what follows from it. */
      const say = <E>(
        actor: Actor & { readonly id: UserId },
        id: string,
        kind: MessageKind,
        input: string,
        check: (client: ManagedClient) => Effect.Effect<void, E>,
        follow: (client: ManagedClient, text: string) => Effect.Effect<void>
      ) =>
        Effect.gen(function*() {
          const { text } = yield* decodeText({ text: input })
          const client = yield* Effect.flatMap(repo.lock(id), (found) => visible(actor, found))
          yield* check(client)
          yield* budgets.spend("change", actor.id)
          const message = yield* messages.add(client, actor.id, kind, text)
          yield* follow(client, text)
          return message
        }).pipe(inTransaction(sql))

      const record = (actor: UserId, action: string, { id, version }: ManagedClient) =>
        audit.record({ actor, action, clientId: id, details: { version } })

      return ReviewDesk.of({
        claim: Effect.fn("ReviewDesk.claim")(function*(by, id, from) {
          const client = yield* any(id)
          return yield* claim.take(by, client.id, from)
        }),
        release: Effect.fn("ReviewDesk.release")(function*(by, id) {
          const client = yield* any(id)
          yield* claim.release(by, client.id)
        }),
        claimOf: Effect.fn("ReviewDesk.claimOf")((id) => Effect.flatMap(any(id), (client) => claim.find(client.id))),
        thread: Effect.fn("ReviewDesk.thread")((id) => Effect.flatMap(any(id), threadAbout)),
        threadOf: Effect.fn("ReviewDesk.threadOf")(function*(owner, id) {
          const client = yield* Effect.flatMap(repo.get(id), (found) => visible({ id: owner, as: "owner" }, found))
          const { messages, ...state } = yield* threadAbout(client)
          return { ...state, messages: messages.flatMap(forOwner) }
        }),
        waiting,
        usualReview: usual,
        note: Effect.fn("ReviewDesk.note")((by, id, text) =>
          say(reviewer(by), id, "note", text, () => Effect.void, () => Effect.void)
        ),
        ask: Effect.fn("ReviewDesk.ask")((by, id, text) =>
          say(
            reviewer(by),
            id,
            "question",
            text,
            (client) =>
              isWithoutOwner(client) ? nobodyAnswers : client.isWaiting ? Effect.void : Effect.fail(notInReview),
            Effect.fnUntraced(function*(client, reason) {
              yield* open.ask(client.id)
              yield* record(by, "client.asked", client)
              yield* outbox.publish(
                ReviewNotice.make({ clientId: client.id, event: "asked", state: stateOf(client), reason })
              )
            })
          )
        ),
        answer: Effect.fn("ReviewDesk.answer")(function*(owner, id, input) {
          const { at, text, version, id: messageId } = yield* say(
            { id: owner, as: "owner" },
            id,
            "answer",
            input,
            Effect.fnUntraced(function*(client) {
              if (!client.isWaiting || (yield* open.question(client.id)) === "none") return yield* notAsked
            }),
            Effect.fnUntraced(function*(client) {
              yield* open.answered(client.id)
              yield* record(owner, "client.answered", client)
              yield* outbox.publish(
                ReviewNotice.make({ clientId: client.id, event: "answered", state: stateOf(client) })
              )
            })
          )
          return { id: messageId, kind: "answer" as const, text, version, at }
        })
      })
    })
  )
}

const orNotFound = Option.match({
  onNone: () => Effect.fail(clientNotFound),
  onSome: (client: ManagedClient) => Effect.succeed(client)
})

/** Message without its author, unless it is a note. */
const forOwner = ({ at, id, kind, text, version }: ReviewMessage): ReadonlyArray<OwnerMessage> =>
  kind === "note" ? [] : [{ id, kind, text, version, at }]

const reviewer = (id: UserId) => ({ id, as: "reviewer" }) as const

const decodeText = Input.decode(Schema.Struct({ text: MessageText }))

const notInReview = new Conflict({ code: "not_in_review", message: "Nothing of this app waits for a decision." })
const nobodyAnswers = Effect.fail(
  new Conflict({ code: "not_owned", message: "Nobody here owns this app: nobody would read a question about it." })
)
const notAsked = new Conflict({
  code: "not_asked",
  message: "No question about this app is open: what you write now would be read by nobody."
})
