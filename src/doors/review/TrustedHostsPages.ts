import { Effect, Option } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { ClientDocuments } from "../../core/clients/documents/ClientDocuments.ts"
import { TrustedHosts } from "../../core/clients/documents/TrustedHosts.ts"
import { documentHostOf } from "../../core/clients/records/DocumentHost.ts"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { Resources } from "../../core/resources/Resources.ts"
import type { Conflict } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { reviewPath } from "../parts/Paths.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { takesTwoText, trustBody, trustedHostsBody, trustedHostsPath } from "./TrustedHostsView.ts"

/** Pages on which reviewers trust the host of an app that describes itself, and end that: `/review/hosts`. */
export const TrustedHostsPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const documents = yield* ClientDocuments
  const hosts = yield* TrustedHosts
  const identities = yield* IdentitySource
  const review = yield* ClientReview
  const takesTwo = Option.isSome((yield* AppConfig).reviewTwoPeople)
  const base = (yield* Resources).baseScopesOf(null)

  /** Host that the app of the address describes itself at. */
  const named = Effect.flatMap(
    pathId,
    (id) =>
      Effect.map(
        Effect.option(review.get(id)),
        (found) =>
          Option.flatMap(found, (client) =>
            Option.map(Option.fromUndefinedOr(documentHostOf(client)), (host) => ({ client, host })))
      )
  )

  yield* get(
    trustedHostsPath,
    Effect.gen(function*() {
      const visitor = yield* pages.requireReviewer
      const list = yield* hosts.list
      const names = yield* peopleNames(list.map(({ by }) => by), identities.find)
      return page({
        title: text("trustedHosts"),
        viewer: visitor.viewer,
        body: trustedHostsBody({ catalogue, base, hosts: list, names, takesTwo, visitor })
      })
    })
  )

  yield* post(
    `${trustedHostsPath}/:id/end`,
    Effect.gen(function*() {
      const { visitor } = yield* pages.reviewerForm
      const host = yield* pathId
      yield* hosts.end(visitor.account.id, host)
      return yield* pages.redirect(visitor, trustedHostsPath, text("trustedHosts.ended", { host }))
    })
  )

  yield* get(
    "/review/:id/trust",
    Effect.gen(function*() {
      const visitor = yield* pages.requireReviewer
      const found = Option.getOrUndefined(yield* named)
      if (found === undefined) return notThere(visitor)
      const { client: app, host } = found
      const objection = yield* hosts.objection(host)
      if (Option.isSome(objection)) return refused(visitor, app.id, objection.value)
      return page({
        title: text("trustedHosts.title"),
        viewer: visitor.viewer,
        body: trustBody({ app, base, catalogue, host, viewer: visitor.viewer })
      })
    })
  )

  yield* post(
    "/review/:id/trust",
    Effect.gen(function*() {
      const { visitor } = yield* pages.reviewerForm
      const found = Option.getOrUndefined(yield* named)
      if (found === undefined) return notThere(visitor)
      const { client: { id }, host } = found
      return yield* documents.trust(visitor.account.id, host, base).pipe(
        Effect.flatMap((count) =>
          pages.redirect(visitor, reviewPath(id), text("trustedHosts.trusted", { count, host }))
        ),
        Effect.catchTag("Conflict", (problem) => Effect.succeed(refused(visitor, id, problem)))
      )
    })
  )
}))

const notThere = ({ viewer }: Visitor) =>
  failurePage({
    status: 404,
    title: text("failure.notFound"),
    what: text("review.gone"),
    remedy: text("review.gone.remedy"),
    next: { href: "/review", label: text("review.queue") },
    viewer
  })

const refused = ({ viewer }: Visitor, id: string, { code }: Conflict) =>
  failurePage({
    status: 409,
    title: text("trustedHosts.shared"),
    what: code === "host_takes_two"
      ? takesTwoText
      : text("trustedHosts.shared.what"),
    remedy: text("trustedHosts.shared.remedy"),
    next: { href: reviewPath(id), label: text("trustedHosts.back") },
    viewer
  })
