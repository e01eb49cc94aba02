import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { searchOwners } from "../../core/accounts/people/OwnerSearch.ts"
import { differences } from "../../core/clients/life/ChangeDiff.ts"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { riskOf } from "../../core/clients/review/DecidedScopes.ts"
import { manyRejections } from "../../core/clients/review/ManyRejections.ts"
import { reviewLooks } from "../../core/clients/review/ReviewChecks.ts"
import { foundIn, resultOf, type ReviewLook } from "../../core/clients/review/ReviewLook.ts"
import { ReviewWishes } from "../../core/clients/review/ReviewWishes.ts"
import { websiteLook } from "../../core/clients/review/WebsiteCheck.ts"
import { websiteLooks, websiteOf } from "../../core/clients/review/WebsiteLooks.ts"
import { AppReports } from "../../core/consent/AppReports.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { askedUse } from "../../core/usage/AskedAgainstUsed.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { instantText } from "../../domain/InstantText.ts"
import { allOf } from "../../domain/Listed.ts"
import { orEmpty } from "../../foundation/http/PageNumber.ts"
import { inEnglish } from "../../foundation/web/Message.ts"
import { Api } from "../contract/Api.ts"
import { byCaller } from "../session/ByCaller.ts"
import { causeText, forPrograms } from "./CauseText.ts"
import { lookText } from "./LookText.ts"
import { unusedEverywhere } from "./UnusedEverywhere.ts"

/** Review by API (`ReviewApi`). */
export const ReviewHandlers = HttpApiBuilder.group(
  Api,
  "review",
  Effect.fn(function*(handlers) {
    const review = yield* ClientReview
    const identities = yield* IdentitySource
    const migration = yield* Migration
    const userReports = yield* AppReports
    const looksAt = yield* reviewLooks
    const websites = yield* websiteLooks
    const wishes = yield* ReviewWishes
    const rejectMany = yield* manyRejections
    const catalogue = yield* Catalogue
    const words = forPrograms(catalogue)
    const use = yield* askedUse
    const unused = yield* unusedEverywhere

    const owners = (search: string) => Effect.provideService(searchOwners(search), IdentitySource, identities)

    return handlers.handleAll({
      queue: byCaller(Effect.fnUntraced(function*(reviewer, { query }) {
        const { facts, ...page } = yield* review.queue({
          ...query,
          reviewer,
          owners: yield* owners(query.search ?? "")
        })
        const numbers = yield* use.numbers(page.clients)
        const clients = page.clients.flatMap((client) => {
          const about = facts.get(client.id)
          const shown = { risk: riskOf(catalogue, client), use: numbers.get(client.id) ?? null }
          return about === undefined ? [] : [{ ...client, ...about, ...shown }]
        })
        return orEmpty(query.page, { ...page, clients }, { clients: [] })
      })),
      unused: byCaller(Effect.fnUntraced(function*(_reviewer, { query }) {
        const found = yield* unused(query.page ?? 1)
        return found === null ? null : orEmpty(query.page, found, { apps: [] })
      })),
      review: byCaller(Effect.fnUntraced(function*(reviewer, { params }) {
        const client = yield* review.get(params.id)
        const account = yield* identities.find(client.ownerId)
        const looks = yield* looksAt(client, reviewer, Option.getOrUndefined(account))
        const owner = Option.map(
          account,
          ({ email, id, name, username }) => ({ id, name, username, email })
        )
        return {
          ...client,
          use: yield* use.of(client),
          migration: client.isLegacyClient ? yield* migration.stateOf(client) : null,
          owner: Option.getOrNull(owner),
          reports: yield* userReports.countOpen(client.id),
          wishes: client.isWaiting ? yield* wishes.list(client.id) : [],
          checks: foundIn(looks).map(({ cause, ...about }) => ({
            check: cause.check,
            cause: inEnglish(causeText(cause, words)),
            ...about
          })),
          looks: looks.map(shown),
          undoable: (yield* review.undoable(reviewer)).find(({ clientId }) => clientId === client.id) ?? null,
          firstApproval: Option.getOrNull(yield* review.firstApproval(client)),
          differences: client.change === null ? [] : differences(client, client.change)
        }
      })),
      askWebsite: byCaller(Effect.fnUntraced(function*(reviewer, { params }) {
        const client = yield* review.get(params.id)
        yield* websites.askFor(reviewer, client)
        return shown(websiteLook(websiteOf(client), yield* websites.find(client.id)))
      })),
      approve: byCaller((reviewer, { params, payload }) =>
        review.approve(reviewer, params.id, payload.version, payload)
      ),
      reject: byCaller((reviewer, { params, payload }) =>
        review.reject(reviewer, params.id, payload.reason, payload.version)
      ),
      rejectMany: byCaller((reviewer, { payload: { clients, reason } }) => rejectMany(reviewer, clients, reason)),
      undoRejection: byCaller((reviewer, { params, payload }) =>
        review.undoRejection(reviewer, params.id, payload.reason, payload.version)
      ),
      undo: byCaller((reviewer, { params, payload }) => review.undo(reviewer, params.id, payload.version, payload)),
      suspend: byCaller((reviewer, { params, payload }) =>
        review.suspend(reviewer, params.id, payload.reason, payload.version)
      ),
      resume: byCaller((reviewer, { params, payload }) => review.resume(reviewer, params.id, payload.version, payload)),
      settleReports: byCaller(Effect.fnUntraced(function*(reviewer, { params }) {
        const { id } = yield* review.get(params.id)
        yield* userReports.settle(reviewer, id)
        return null
      }))
    })
  })
)

const inUtc = { timeZone: "UTC", timeFormat: 24 } as const

const shown = (look: ReviewLook) => ({
  look: "unseen" in look ? look.unseen.of : look.seen.of,
  result: resultOf(look),
  about: inEnglish(lookText(look, { listed: allOf, when: (at) => instantText(at, inUtc) })),
  found: look.found.map(({ cause: { check } }) => check)
})
