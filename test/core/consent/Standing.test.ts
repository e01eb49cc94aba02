import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { ClientChange, ClientStatus, ManagedClient } from "../../../src/core/clients/records/Client.ts"
import { nobody } from "../../../src/core/clients/records/Nobody.ts"
import { reviewedVersionOf } from "../../../src/core/clients/records/ReviewedFields.ts"
import type { ReviewWish } from "../../../src/core/clients/review/ReviewWish.ts"
import { standingOf } from "../../../src/core/consent/Standing.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { at, pending } from "../clients/Fixture.ts"

const catalogue = builtIn()
const redirectUri = "https://app.example/callback"
const [few, many] = [["PROFILE_READ"], ["BOOKING_READ", "PROFILE_READ"]] as const

const change = (client: ManagedClient, more: Partial<ClientChange>) =>
  new ClientChange({ ...reviewedVersionOf(client), rejectionReason: null, submittedAt: at(1), ...more })

const wishAt = (minute: number): ReviewWish => ({
  userId: UserId.make("u"),
  reason: "For my rota.",
  scopes: [...few],
  askedAt: at(minute)
})

/** Every app, request and wish that differ in what counts. */
const cases = ClientStatus.literals.flatMap((status) =>
  [few, many].flatMap((scopes) =>
    [null, at(5)].flatMap((reviewedAt) =>
      ["none", "waits", "rejected"].flatMap((changed) =>
        [undefined, wishAt(3), wishAt(7)].flatMap((wish) =>
          [few, many].flatMap((asked) =>
            [redirectUri, "https://other.example/"].flatMap((address) =>
              [at(2), at(8)].map((keptAt) => {
                const app = new ManagedClient({
                  ...pending,
                  origin: "dynamic",
                  ownerId: nobody,
                  status,
                  scopes: [...scopes],
                  reviewedAt,
                  rejectionReason: status === "rejected" ? "No." : null
                })
                const wanted = { scopes: [...many], rejectionReason: changed === "rejected" ? "Not that." : null }
                const client = changed === "none"
                  ? app
                  : new ManagedClient({ ...app, change: change(app, wanted) })
                return { client, wish, asked: { redirectUri: address, scopes: [...asked], keptAt } }
              })
            )
          )
        )
      )
    )
  )
)

const standings = cases.map((one) => ({ ...one, standing: standingOf(catalogue, one.client, one.asked, one.wish) }))

describe("What an app asks for", () => {
  it("can be used exactly when an approved app has the address and the scopes already", () => {
    assert.isAbove(standings.length, 500)
    for (const { asked, client, standing } of standings) {
      const has = client.status === "approved" && client.redirectUris.includes(asked.redirectUri) &&
        asked.scopes.every((scope) => catalogue.covers(client.scopes, scope))
      assert.strictEqual(standing._tag === "Usable", has)
    }
  })

  it("waits only where reviewers have all of it before them, and the user has asked since they decided", () => {
    for (const { asked, client, standing, wish } of standings) {
      if (standing._tag !== "Waits") continue
      assert.isTrue(client.isWaiting)
      const before = client.change ?? client
      assert.isTrue(asked.scopes.every((scope) => catalogue.covers(before.scopes, scope)))
      assert.isTrue(
        wish !== undefined && (client.reviewedAt === null || DateTime.isGreaterThan(wish.askedAt, client.reviewedAt))
      )
    }
  })

  it("is refused with the reason for those alone who have asked", () => {
    for (const { standing, wish } of standings) {
      if (standing._tag === "Refused" && wish === undefined) assert.strictEqual(standing.reason, null)
    }
    assert.isTrue(standings.some(({ standing }) => standing._tag === "Refused" && standing.reason === "Not that."))
  })
})
