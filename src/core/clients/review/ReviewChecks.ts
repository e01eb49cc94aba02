import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { ThrowawayMailHosts } from "../../../domain/ThrowawayMailHosts.ts"
import type { Account } from "../../accounts/people/Account.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import { nameTwins } from "../life/NameTwins.ts"
import { mostShown, relatedApps } from "../life/RelatedApp.ts"
import { isWithoutOwner, type ManagedClient } from "../records/Client.ts"
import { nobody } from "../records/Nobody.ts"
import { concernedReviewer } from "./ConcernedReviewer.ts"
import { decidedScopes } from "./DecidedScopes.ts"
import { hostCheck, schemeCheck } from "./HostCheck.ts"
import { mailLook } from "./MailHostCheck.ts"
import { nameChecks, twinChecks } from "./NameChecks.ts"
import { powerLook } from "./PowerCheck.ts"
import { purposeCopies } from "./PurposeCopies.ts"
import { check } from "./ReviewCheck.ts"
import { foundIn, type ReviewLook } from "./ReviewLook.ts"
import { websiteLook } from "./WebsiteCheck.ts"
import { websiteLooks } from "./WebsiteLooks.ts"

/** Facts that a reviewer should know before a decision and would not see by looking at the app alone. */
export const reviewLooks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const catalogue = yield* Catalogue
  const twins = yield* nameTwins
  const copiesOf = yield* purposeCopies
  const websites = yield* websiteLooks
  const mailHosts = yield* ThrowawayMailHosts
  const isConcerned = yield* concernedReviewer

  const ownerChecks = Effect.fnUntraced(function*({ id, ownerId }: ManagedClient) {
    if (ownerId === nobody) return []
    const { apps, total } = yield* relatedApps(
      sql`SELECT id, owner_id, name, status, reviewed_at IS NOT NULL AS reviewed, false AS wanted,
          count(*) OVER ()::int AS total FROM clients
        WHERE owner_id = ${ownerId} AND id <> ${id} AND test_of IS NULL AND status IN ('rejected', 'suspended')
        ORDER BY updated_at DESC, id LIMIT ${mostShown}`
    )
    if (total === 0) return []
    return [{ ...check({ check: "owner_was_refused", total }), apps }]
  }, Effect.orDie)

  /** Looks at the version that an approval would make serve. */
  return Effect.fn("ReviewChecks.of")(function*(
    client: ManagedClient,
    reviewer: Reviewer,
    owner?: Pick<Account, "email">
  ) {
    const version = client.change?.isWaiting ? client.change : client
    const { id, ownerId, purpose } = client
    const ofOwner = [
      ...yield* ownerChecks(client),
      ...((yield* isConcerned(reviewer, client)) ? [check({ check: "own_app" })] : [])
    ]
    const looks: ReadonlyArray<ReviewLook> = [
      {
        seen: { of: "name" },
        found: [...twinChecks(yield* twins.of({ id, ownerId, name: version.name })), ...nameChecks(version.name)]
      },
      { seen: { of: "redirects" }, found: [...yield* hostCheck(version, client), ...schemeCheck(version)] },
      powerLook(catalogue, isWithoutOwner(client) ? null : purpose, decidedScopes(client)),
      yield* copiesOf(client),
      websiteLook(version.website, yield* websites.find(id)),
      mailLook(owner, version, mailHosts),
      ownerId === nobody && ofOwner.length === 0
        ? { unseen: { of: "owner", why: "no_owner" }, found: [] }
        : { seen: { of: "owner" }, found: ofOwner }
    ]
    return looks
  })
})

/** Whatever stands out of that. */
export const reviewChecks = Effect.map(
  reviewLooks,
  (looksAt) => (client: ManagedClient, reviewer: Reviewer) => Effect.map(looksAt(client, reviewer), foundIn)
)
