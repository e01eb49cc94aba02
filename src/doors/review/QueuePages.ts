import { DateTime, Effect, Option } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { searchOwners } from "../../core/accounts/people/OwnerSearch.ts"
import { mostRejected } from "../../core/clients/review/ChosenApps.ts"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { manyRejections } from "../../core/clients/review/ManyRejections.ts"
import { queueFlags } from "../../core/clients/review/QueueFlags.ts"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import { askedUse } from "../../core/usage/AskedAgainstUsed.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { html } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageIn } from "../../foundation/web/Pager.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { keysFold } from "../parts/KeysView.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { chosenBody, type ChosenView } from "./ChosenView.ts"
import { decidedBefore } from "./DecidedBeforeView.ts"
import { askedIn, chosenIn, chosenPath, claimPath, queuePath } from "./QueueAddress.ts"
import { queueBody } from "./QueueView.ts"
import { reasonOf } from "./ReasonTemplates.ts"

/** List that reviewers work through, and what they do to several apps of it at once: `/review`. */
export const QueuePages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const dashboardUrl = Option.getOrUndefined((yield* AppConfig).dashboardUrl)
  const catalogue = yield* Catalogue
  const review = yield* ClientReview
  const desk = yield* ReviewDesk
  const identities = yield* IdentitySource
  const rejectMany = yield* manyRejections
  const use = yield* askedUse

  const names = (ids: ReadonlyArray<string>) => peopleNames(ids, (id) => identities.find(id))

  const list = Effect.gen(function*() {
    const visitor = yield* pages.requireReviewer
    const { account, viewer } = visitor
    const query = yield* readQuery
    const from = query.get("from")
    const asked = askedIn(query)
    const found = yield* review.queue({
      ...asked,
      reviewer: account.id,
      owners: yield* Effect.provideService(searchOwners(asked.search), IdentitySource, identities),
      page: pageIn(query)
    })
    const { clients, facts } = found
    const flags = yield* Effect.forEach(
      clients,
      (client) => Effect.map(queueFlags(client, account.id), (flags) => [client.id, flags] as const)
    )
    return page({
      title: text("review"),
      viewer,
      body: html`${
        decidedBefore({
          visitor,
          from,
          decided: from === undefined
            ? undefined
            : (yield* review.undoable(account.id)).find(({ clientId }) => clientId === from)
        })
      }
${
        queueBody({
          ...found,
          asked,
          catalogue,
          flags: new Map(flags),
          now: yield* DateTime.now,
          people: yield* names([
            ...clients.map(({ ownerId }) => ownerId),
            ...[...facts.values()].flatMap(({ claim }) => claim?.reviewer ?? [])
          ]),
          reader: account,
          use: yield* use.numbers(clients),
          isAdmin: viewer.isAdmin,
          dashboardUrl: viewer.isAdmin ? dashboardUrl : undefined
        })
      }
${keysFold(text("keys.list"))}`
    })
  })

  /** Page of the apps that were chosen, before anything is done to them. */
  const ask = Effect.fnUntraced(function*(
    visitor: Visitor,
    fields: Parameters,
    more: Partial<Pick<ChosenView, "problem">> = {}
  ) {
    const chosen = chosenIn(fields)
    if (chosen.length === 0) return yield* pages.redirect(visitor, queuePath, text("queue.chosen.none"))
    const found = yield* review.find(chosen.slice(0, mostRejected).map(({ id }) => id))
    const people = yield* names(found.map(({ ownerId }) => ownerId))
    return page({
      title: text("queue.chosen.title"),
      viewer: visitor.viewer,
      problem: more.problem,
      body: chosenBody({
        visitor,
        chosen,
        clients: found,
        catalogue,
        people,
        reason: fields.get("reason") ?? "",
        ...more
      })
    })
  })

  yield* get(queuePath, list)
  yield* get(
    chosenPath,
    Effect.gen(function*() {
      const visitor = yield* pages.requireReviewer
      const { fields = yield* readQuery, problem } = restoredForm(
        visitor.viewer.restored,
        chosenPath,
        (fields) => ({ fields })
      )
      return yield* ask(visitor, fields, { problem })
    })
  )
  yield* post(
    chosenPath,
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.reviewerForm
      return yield* rejectMany(visitor.account.id, chosenIn(fields), reasonOf(fields)).pipe(
        Effect.flatMap(({ leftOut, rejected }) =>
          pages.redirect(
            visitor,
            queuePath,
            text("queue.chosen.rejected", { rejected: rejected.length, leftOut: leftOut.length })
          )
        ),
        Effect.catchTag("BadRequest", (problem) => ask(visitor, fields, { problem }))
      )
    })
  )
  yield* post(
    claimPath,
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.reviewerForm
      const chosen = chosenIn(fields).slice(0, mostRejected)
      const [others, claimed] = yield* Effect.partition(chosen, ({ id }) => desk.claim(visitor.account.id, id))
      return yield* pages.redirect(
        visitor,
        `${queuePath}?state=mine`,
        text("queue.chosen.claimed", { claimed: claimed.length, others: others.length })
      )
    })
  )
}))
