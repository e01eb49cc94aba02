import { Effect } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { appFigures } from "../../core/clients/AppFigures.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RegistrationDrafts } from "../../core/clients/life/RegistrationDrafts.ts"
import { OwnerInvitations } from "../../core/clients/owners/OwnerInvitations.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { pageController } from "../session/PageRoutes.ts"
import { appsPath, listBody, longestSearch } from "./AppListView.ts"

const onPage = 25

/** List of a developer's apps, with the registrations that were begun: `/settings/apps`. */
export const AppListPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const registry = yield* ClientRegistry
  const drafts = yield* RegistrationDrafts
  const figuresOf = yield* appFigures
  const identities = yield* IdentitySource
  const invitations = yield* OwnerInvitations

  const offersTo = Effect.fnUntraced(function*(account: Account) {
    const offers = yield* invitations.list(account)
    const names = yield* peopleNames(offers.map(({ ownerId }) => ownerId), (id) => identities.find(id))
    return offers.map((offer) => ({ ...offer, from: names.get(offer.ownerId) ?? text("testInvitations.somebody") }))
  })

  yield* get(
    appsPath,
    Effect.gen(function*() {
      const visitor = yield* pages.require
      const query = yield* readQuery
      const cursor = query.get("cursor")
      const search = (query.get("search") ?? "").trim().slice(0, longestSearch)
      const pageAt = (cursor: string | undefined) =>
        Effect.map(
          registry.pageOf(visitor.account.id, onPage, cursor, search),
          (found) => ({ ...found, isFirst: cursor === undefined })
        )
      // An address that somebody has changed by hand shows the beginning.
      const found = yield* Effect.catch(pageAt(cursor), () => Effect.orDie(pageAt(undefined)))
      const begun = found.isFirst && search === "" ? yield* drafts.list(visitor.account.id) : []
      return page({
        title: text("apps"),
        viewer: visitor.viewer,
        body: listBody({
          ...found,
          visitor,
          search,
          drafts: begun,
          roles: yield* registry.rolesIn(visitor.account.id, found.clients),
          offers: found.isFirst ? yield* offersTo(visitor.account) : [],
          figures: yield* figuresOf(found.clients.map(({ id }) => id))
        })
      })
    })
  )
}))
