import { DateTime, Effect, Option } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { AuditLog, type Entry } from "../../core/audit/AuditLog.ts"
import { ClientDocuments } from "../../core/clients/documents/ClientDocuments.ts"
import { DynamicRegistration } from "../../core/clients/dynamic/DynamicRegistration.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { ClientReview, type Confirmed } from "../../core/clients/review/ClientReview.ts"
import { ownerRecord } from "../../core/clients/review/OwnerRecord.ts"
import { reviewLooks } from "../../core/clients/review/ReviewChecks.ts"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import { foundIn } from "../../core/clients/review/ReviewLook.ts"
import { ReviewWishes } from "../../core/clients/review/ReviewWishes.ts"
import { websiteLooks } from "../../core/clients/review/WebsiteLooks.ts"
import { AppReports } from "../../core/consent/AppReports.ts"
import { appUse } from "../../core/grants/AppUse.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { askedUse } from "../../core/usage/AskedAgainstUsed.ts"
import { UsageReports } from "../../core/usage/UsageReports.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../domain/Ids.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { type Message, type PlainValues, text } from "../../foundation/web/Message.ts"
import { readQuery, versionOf } from "../../foundation/web/ReadForm.ts"
import { formNotSent } from "../../foundation/web/RestoredForm.ts"
import { actionLabels } from "../parts/AuditTrailView.ts"
import { reviewPath } from "../parts/Paths.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { notFoundPage, pageController, pathId, showProblem } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { addedScopes } from "./ChangeInWordsView.ts"
import { reviewPathFrom } from "./DecidedBeforeView.ts"
import { leftOutField } from "./LeftOutView.ts"
import { reasonOf } from "./ReasonTemplates.ts"
import { reviewBody, type ReviewView } from "./ReviewView.ts"

/**
 * Pages on which reviewers decide about an app of the list (`QueuePages`): `/review/:id`. This room is what reviewers
 * use, in a browser and by the API; its rules are those of `ClientReview`.
 */
export const ReviewPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const review = yield* ClientReview
  const desk = yield* ReviewDesk
  const documents = yield* ClientDocuments
  const registrations = yield* DynamicRegistration
  const useOf = yield* appUse
  const recordOf = yield* ownerRecord
  const identities = yield* IdentitySource
  const audit = yield* AuditLog
  const userReports = yield* AppReports
  const migration = yield* Migration
  const looksAt = yield* reviewLooks
  const websites = yield* websiteLooks
  const wishesFor = yield* ReviewWishes
  const asked = yield* askedUse
  const usage = yield* UsageReports

  const names = (ids: ReadonlyArray<string>) => peopleNames(ids, (id) => identities.find(id))

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<ReviewView> = {}) {
    const client = yield* review.get(id)
    const entries = yield* audit.list({ clientId: client.id, actions: [...actionLabels.keys()], limit: 50 })
    const state = client.isLegacyClient ? yield* migration.stateOf(client) : null
    const owner = Option.getOrUndefined(yield* identities.find(client.ownerId))
    const looks = yield* looksAt(client, visitor.account.id, owner)
    const reports = yield* userReports.list(client.id)
    const wishes = client.isWaiting ? yield* wishesFor.list(client.id) : []
    const from = (yield* readQuery).get("from")
    const undoable = yield* review.undoable(visitor.account.id)
    const first = Option.getOrUndefined(yield* review.firstApproval(client))
    const thread = yield* desk.thread(client.id)
    const claim = Option.getOrUndefined(yield* desk.claimOf(client.id))
    const people = yield* names([
      client.ownerId,
      ...(typeof client.change?.nextOwnerId === "string" ? [client.change.nextOwnerId] : []),
      ...(first === undefined ? [] : [first.reviewer]),
      ...reports.map(({ actor }) => actor),
      ...wishes.map(({ userId }) => userId),
      ...entries.map(({ actor }) => actor),
      ...thread.messages.flatMap(({ author }) => author ?? []),
      ...(claim === undefined ? [] : [claim.reviewer]),
      ...foundIn(looks).flatMap(({ apps }) => apps.map(({ ownerId }) => ownerId))
    ])
    const named = (entry: Entry) => ({ ...entry, by: people.get(entry.actor) ?? entry.actor })
    return page({
      title: text("review.title", { app: client.name }),
      viewer: visitor.viewer,
      problem: more.failed?.problem,
      hasFrame: true,
      body: reviewBody({
        catalogue,
        visitor,
        client,
        migration: state,
        undoable: undoable.find(({ clientId }) => clientId === client.id),
        from,
        decided: undoable.find(({ clientId }) => clientId === from && from !== client.id),
        first,
        looks,
        people,
        thread,
        claim,
        coverage: yield* usage.coverage,
        use: yield* asked.of(client),
        usage: yield* useOf(client.id, addedScopes(catalogue, client)),
        record: yield* recordOf(client),
        now: yield* DateTime.now,
        owner,
        next: Option.getOrUndefined(yield* review.nextInQueue(visitor.account.id, client)),
        trail: entries.map(named),
        reports: reports.map(named),
        document: Option.getOrUndefined(yield* documents.find(client.id)),
        registration: Option.getOrUndefined(
          client.origin === "dynamic" ? yield* registrations.about(client.id) : Option.none()
        ),
        openReports: yield* userReports.countOpen(client.id),
        wishes,
        openWishes: wishes.length === 0 ? 0 : yield* wishesFor.count(client.id),
        ...more
      })
    })
  })

  const decide = <A>(
    action: string,
    /** Sentence about it, for the page that comes next. */
    said: (client: ManagedClient, decided: A) => Message<PlainValues>,
    handler: (decision: Decision) => Effect.Effect<A, NotFound | BadRequest | Conflict>,
    { field = "reason", goesOn = false }: { readonly field?: string; readonly goesOn?: boolean } = {}
  ) =>
    post(
      `/review/:id/${action}`,
      Effect.gen(function*() {
        const { fields, visitor } = yield* pages.reviewerForm
        const id = yield* pathId
        const reason = reasonOf(fields, field)
        const version = versionOf(fields)
        const acceptTwins = (fields.get("acceptTwins") ?? "").split(" ")
        const without = [...fields.keys()].filter((name) => name.startsWith(leftOutField(""))).map((name) =>
          name.slice(leftOutField("").length)
        )
        const confirmed = { breakOldUrls: fields.has("breakOldUrls"), acceptTwins, without }
        const from = fields.get("from")
        return yield* Effect.gen(function*() {
          const before = yield* review.get(id)
          const decided = yield* handler({ reviewer: visitor.account.id, id, reason, version, confirmed, from })
          const location = goesOn
            ? reviewPathFrom(id, Option.getOrUndefined(yield* review.nextInQueue(visitor.account.id, before))?.id)
            : reviewPath(id)
          return yield* pages.redirect(visitor, location, said(before, decided))
        }).pipe(
          showProblem((problem) => show(visitor, id, { failed: { action, problem, reason, version } }), gone(visitor))
        )
      })
    )

  yield* get(
    "/review/:id",
    Effect.gen(function*() {
      const visitor = yield* pages.requireReviewer
      const id = yield* pathId
      return yield* Effect.mapError(show(visitor, id, restoredForm(visitor, id)), () => gone(visitor))
    })
  )

  yield* post(
    "/review/:id/settle-reports",
    Effect.gen(function*() {
      const { visitor } = yield* pages.reviewerForm
      const client = yield* Effect.mapError(Effect.flatMap(pathId, review.get), () => gone(visitor))
      yield* userReports.settle(visitor.account.id, client.id)
      return yield* pages.redirect(visitor, reviewPath(client.id), text("review.reports.settled"))
    })
  )

  yield* post(
    "/review/:id/website",
    Effect.gen(function*() {
      const { visitor } = yield* pages.reviewerForm
      const id = yield* pathId
      return yield* review.get(id).pipe(
        Effect.tap((client) => websites.askFor(visitor.account.id, client)),
        // The page itself says what came of it; a notice would lead on to the next app.
        Effect.as(seeOther(reviewPath(id))),
        Effect.mapError(() => gone(visitor))
      )
    })
  )

  yield* decide(
    "approve",
    ({ name }, { isWaiting }: ManagedClient) =>
      isWaiting ? text("decided.approvedFirst", { app: name }) : text("decided.approved", { app: name }),
    ({ reviewer, confirmed, id, version }) => review.approve(reviewer, id, version, confirmed),
    { goesOn: true }
  )
  yield* decide(
    "reject",
    ({ name }) => text("decided.rejected", { app: name }),
    ({ reviewer, id, reason, version }) => review.reject(reviewer, id, reason, version),
    { goesOn: true }
  )
  yield* decide(
    "undo",
    () => text("review.undone"),
    ({ confirmed, id, reviewer, version }) => review.undo(reviewer, id, version, confirmed)
  )
  yield* decide(
    "undo-rejection",
    () => text("review.rejectionUndone"),
    ({ reviewer, id, reason, version }) => review.undoRejection(reviewer, id, reason, version)
  )
  yield* decide(
    "suspend",
    () => text("review.suspended"),
    ({ reviewer, id, reason, version }) => review.suspend(reviewer, id, reason, version)
  )
  yield* decide(
    "resume",
    () => text("review.resumed"),
    ({ reviewer, confirmed, id, version }) => review.resume(reviewer, id, version, confirmed)
  )
  yield* decide("claim", () => text("claim.claimed"), ({ from, id, reviewer }) => desk.claim(reviewer, id, from))
  yield* decide("release", () => text("claim.released"), ({ id, reviewer }) => desk.release(reviewer, id))
  yield* decide(
    "note",
    () => text("thread.noted"),
    ({ id, reason, reviewer }) => desk.note(reviewer, id, reason),
    { field: "text" }
  )
  yield* decide(
    "ask",
    ({ name }) => text("decided.asked", { app: name }),
    ({ id, reason, reviewer }) => desk.ask(reviewer, id, reason),
    { field: "text", goesOn: true }
  )
}))

/** Decision whose form comes back, with its reason: about the version that was looked at, as if it were late. */
const restoredForm = ({ viewer: { restored } }: Visitor, id: string): Partial<ReviewView> => {
  const path = `${reviewPath(id)}/`
  if (restored?.action.startsWith(path) !== true) return {}
  const { action, fields } = restored
  const reason = reasonOf(fields, fields.has("text") ? "text" : "reason")
  return { failed: { action: action.slice(path.length), problem: formNotSent, reason, version: versionOf(fields) } }
}

interface Decision {
  readonly reviewer: UserId
  readonly id: string
  readonly reason: string
  readonly version: number
  readonly confirmed: Confirmed
  /** Reviewer whose claim is taken over. */
  readonly from: string | undefined
}

const gone = notFoundPage({
  what: text("review.gone"),
  remedy: text("review.gone.remedy"),
  next: { href: "/review", label: text("review.queue") }
})
