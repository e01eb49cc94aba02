import { Effect, Option } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { referenceIn } from "../parts/ReferenceSearch.ts"
import { pageController } from "../session/PageRoutes.ts"
import { referenceBody, referencesPath } from "./ReferenceView.ts"

/**
 * Page on which administrators, as the support of users, find a refused request by the reference that a page has shown:
 * `/review/references`. Owners find those of their own apps on the page of the app.
 */
export const ReferencePages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const { ownerHistoryLifetime } = yield* AppConfig
  const clients = yield* ClientRegistry
  const identities = yield* IdentitySource
  const refusedRequests = yield* RefusedRequests

  yield* get(
    referencesPath,
    Effect.gen(function*() {
      const { account, viewer } = yield* pages.requireAdmin
      const reference = referenceIn(yield* readQuery)
      const found = reference === undefined ? [] : yield* refusedRequests.find(reference)
      const people = yield* Effect.forEach(
        new Set(found.flatMap(({ userId }) => userId ?? [])),
        (id) => identities.find(id)
      )
      return page({
        title: text("references"),
        viewer,
        body: referenceBody({
          reference,
          found,
          apps: yield* clients.findAll(found.flatMap(({ clientId }) => clientId ?? [])),
          people: new Map(people.flatMap(Option.toArray).map((person) => [person.id, person])),
          lifetime: ownerHistoryLifetime,
          reader: account,
          viewer
        })
      })
    })
  )
}))
