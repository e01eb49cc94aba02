import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Lifecycle from "../../../../src/core/clients/life/Lifecycle.ts"
import { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { approved, at, edited, errorOf, legacy, pending, rejected, transitionOf } from "../Fixture.ts"

describe("an edit of an approved app", () => {
  it("keeps the approved version serving while an addition is reviewed", () => {
    const { client, event } = edited(approved, {
      scopes: ["BOOKING_READ", "PROFILE_READ", "BOOKING_WRITE"],
      redirectUris: ["https://app.example/callback", "https://app.example/other"]
    })
    assert.strictEqual(event, "changed")
    assert.isTrue(client.isWaiting)
    assert.strictEqual(client.status, "approved")
    assert.deepStrictEqual(client.scopes, approved.scopes)
    assert.deepStrictEqual(client.redirectUris, approved.redirectUris)
    assert.deepStrictEqual(client.change?.scopes, ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"])

    const applied = transitionOf(Lifecycle.approve(builtIn(), client, client.version, at(6)))
    assert.strictEqual(applied.event, "change-approved")
    assert.isNull(applied.client.change)
    assert.deepStrictEqual(applied.client.scopes, ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"])
    assert.lengthOf(applied.client.redirectUris, 2)
    assert.strictEqual(applied.details["scopes"], "+BOOKING_WRITE")

    const refused = transitionOf(Lifecycle.reject(client, "Why write?", client.version, at(6)))
    assert.strictEqual(refused.event, "change-rejected")
    assert.deepStrictEqual(refused.client.scopes, approved.scopes)
    assert.strictEqual(refused.client.status, "approved")
    assert.strictEqual(refused.client.change?.rejectionReason, "Why write?")
    assert.isFalse(refused.client.isWaiting)
    assert.strictEqual(
      errorOf(Lifecycle.approve(builtIn(), refused.client, refused.client.version, at(7)))._tag,
      "Conflict"
    )
  })

  it.each([
    { edit: { name: "Other" } },
    { edit: { website: "https://other.example" } },
    { edit: { logoUrl: "https://app.example/logo.png" } }
  ])("lets a reviewer see $edit first", ({ edit }) => {
    const { client } = edited(approved, edit)
    assert.isTrue(client.isWaiting)
    assert.deepStrictEqual({ ...client, change: null, updatedAt: at(1), version: 2 }, { ...approved })
  })

  it("removes and rewords at once", () => {
    const { client, event } = edited(approved, { scopes: ["BOOKING_READ"], purpose: "Reads bookings." })
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ"])
    assert.strictEqual(client.purpose, "Reads bookings.")
    assert.isNull(client.change)
    assert.isNull(event)
  })

  it("changes the grace of refresh tokens at once, in a confidential app alone", () => {
    const { client, details } = edited(approved, { refreshGrace: "short" })
    assert.strictEqual(client.refreshGrace, "short")
    assert.isNull(client.change)
    assert.deepStrictEqual(details, { refreshGrace: "short" })
    assert.strictEqual(edited(rejected, { refreshGrace: "short" }).client.refreshGrace, "short")
    assert.strictEqual(edited(client, { name: "Other" }).client.refreshGrace, "short")
    const app = new ManagedClient({ ...approved, kind: "public", refreshGrace: "short" })
    const refused = errorOf(Lifecycle.edit(builtIn(), app, { refreshGrace: "until-used" }, at(5)))
    assert.deepStrictEqual(refused.details?.map(({ path }) => path), ["refreshGrace"])
    assert.isUndefined(Result.getOrThrow(Lifecycle.edit(builtIn(), app, { refreshGrace: "short" }, at(5))))
  })

  it("removes at once beside an addition that waits", () => {
    const { client } = edited(approved, { scopes: ["BOOKING_READ", "BOOKING_WRITE"] })
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ"])
    assert.deepStrictEqual(client.change?.scopes, ["BOOKING_READ", "BOOKING_WRITE"])
  })

  it("never takes the last address or scope away before its replacement is approved", () => {
    const { client } = edited(approved, { scopes: ["SCHEDULE_READ"], redirectUris: ["https://new.example/"] })
    assert.deepStrictEqual(client.scopes, approved.scopes)
    assert.deepStrictEqual(client.redirectUris, approved.redirectUris)
    const applied = transitionOf(Lifecycle.approve(builtIn(), client, client.version, at(6))).client
    assert.deepStrictEqual(applied.scopes, ["SCHEDULE_READ"])
    assert.deepStrictEqual(applied.redirectUris, ["https://new.example/"])
  })

  it("adds to the change that waits, tells administrators once, and keeps its place in the queue", () => {
    const first = edited(approved, { name: "Other" }).client
    const { client, event } = transitionOf(
      Lifecycle.edit(builtIn(), first, { website: "https://other.example" }, at(9))
    )
    assert.strictEqual(client.change?.name, "Other")
    assert.strictEqual(client.change?.website, "https://other.example")
    assert.deepStrictEqual(client.change?.submittedAt, at(5))
    assert.isNull(event)
  })

  it("closes the review when the owner goes back to the approved version", () => {
    const first = edited(approved, { name: "Other" }).client
    assert.isNull(edited(first, { name: approved.name }).client.change)
    const withdrawn = transitionOf(Lifecycle.withdraw(first, at(6))).client
    assert.isNull(withdrawn.change)
    assert.strictEqual(withdrawn.name, approved.name)
  })

  it("keeps the reason of a refused change until the owner asks again", () => {
    const first = edited(approved, { name: "Other" }).client
    const refused = transitionOf(Lifecycle.reject(first, "Misleading.", first.version, at(6))).client
    const reworded = edited(refused, { purpose: "Something else." }).client
    assert.strictEqual(reworded.change?.rejectionReason, "Misleading.")
    const again = transitionOf(Lifecycle.edit(builtIn(), refused, { name: "Better" }, at(9)))
    assert.strictEqual(again.event, "changed")
    assert.isNull(again.client.change?.rejectionReason)
    assert.deepStrictEqual(again.client.change?.submittedAt, at(9))
  })

  it("does nothing when nothing differs", () => {
    assert.isUndefined(Result.getOrThrow(Lifecycle.edit(builtIn(), approved, { name: approved.name }, at(5))))
    assert.isUndefined(Result.getOrThrow(Lifecycle.edit(builtIn(), pending, {}, at(5))))
  })

  it("names what does not fit", () => {
    const scopes = errorOf(Lifecycle.edit(builtIn(), approved, { scopes: [] }, at(5)))
    assert.deepStrictEqual(scopes.details?.map(({ path }) => path), ["scopes"])
    const redirectUris = ["https://app.example/callback", "com.example.app:/callback"]
    const uris = errorOf(Lifecycle.edit(builtIn(), approved, { redirectUris }, at(5)))
    assert.deepStrictEqual(uris.details?.map(({ path }) => path), ["redirectUris.1"])
  })
})

describe("a legacy app", () => {
  it("gets user-level scopes at once", () => {
    const { client } = edited(legacy, { scopes: ["BOOKING_READ", "PROFILE_READ"] })
    assert.isFalse(client.legacy)
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ", "PROFILE_READ"])
    assert.isNull(client.change)
  })

  it("stays as it is until team and organization scopes are approved", () => {
    const { client } = edited(legacy, { scopes: ["BOOKING_READ", "TEAM_BOOKING_READ"] })
    assert.isTrue(client.legacy)
    assert.deepStrictEqual(client.scopes, [])
    assert.isTrue(client.isWaiting)
    const applied = transitionOf(Lifecycle.approve(builtIn(), client, client.version, at(6))).client
    assert.isFalse(applied.legacy)
    assert.deepStrictEqual(applied.scopes, ["BOOKING_READ", "TEAM_BOOKING_READ"])
  })

  it("stays legacy when something else changes", () => {
    const { client } = edited(legacy, { name: "Other" })
    assert.isTrue(transitionOf(Lifecycle.approve(builtIn(), client, client.version, at(6))).client.legacy)
  })
})
