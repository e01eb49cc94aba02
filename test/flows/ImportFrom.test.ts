import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { AuthorizationCode } from "simple-oauth2"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { serverNames } from "../../src/core/legacy/import/from/Servers.ts"
import { LegacyImport } from "../../src/core/legacy/import/LegacyImport.ts"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"
import * as Exports from "./exports/Exports.ts"

/** People whom the exports name, once for all tests of the server. */
class People extends Context.Service<People, { readonly owner: Account; readonly user: Account }>()(
  "slotkey/test/flows/ImportFrom.test/People"
) {}

const Journey = Layer.effect(People, Exports.people(Live.password)).pipe(Layer.provideMerge(Live.layer()))

layer(Journey, { excludeTestServices: true })("The export of another server, as it is", (it) => {
  it.effect.each(serverNames)("goes on with simple-oauth2: --from %s", (name) =>
    Effect.gen(function*() {
      const { app, origin, refreshToken, text } = Exports.exports[name]
      const { url } = yield* Live.LiveServer
      const { user } = yield* People
      yield* (yield* LegacyImport).apply(Stream.make(text), "cli", { from: origin, skips: true })
      const client = new AuthorizationCode({
        client: { id: app.id, secret: app.secret },
        auth: { tokenHost: url, tokenPath: "/v2/auth/oauth2/token", authorizePath: "/auth/oauth2/authorize" },
        options: { credentialsEncodingMode: "loose" }
      })
      const statusOf = (token: Record<string, unknown>) =>
        Effect.promise(async () =>
          (await fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${String(token["access_token"])}` } }))
            .status
        )

      if (refreshToken !== undefined) {
        const installed = yield* Effect.promise(() => client.createToken({ refresh_token: refreshToken }).refresh())
        assert.strictEqual(yield* statusOf(installed.token), 200)
      }
      const callback = yield* decide(user, client.authorizeURL({ redirect_uri: app.redirectUri, state: "s" }), "allow")
      const code = callback.searchParams.get("code") ?? ""
      const token = yield* Effect.promise(() => client.getToken({ code, redirect_uri: app.redirectUri }))
      const refreshed = yield* Effect.promise(() => token.refresh())
      assert.strictEqual(yield* statusOf(refreshed.token), 200)
    }))

  it.effect("brings apps that wait for review, and rejected ones, with their ids", () =>
    Effect.gen(function*() {
      const { owner } = yield* People
      const { origin, text } = Exports.exports.prisma
      yield* (yield* LegacyImport).apply(Stream.make(text), "cli", { from: origin })
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const admin = yield* Live.newAccount("admin")
      const { clients } = yield* review.queue({ state: "imported" })
      const waiting = clients.find(({ name }) => name === "Prisma New")
      assert.strictEqual(waiting?.id, "pr1smaNew0123456789abcdef")
      assert.deepInclude(waiting, {
        ownerId: owner.id,
        status: "pending",
        purpose: "Books rooms.",
        website: "https://new.example",
        reviewedAt: null
      })
      yield* review.approve(admin.id, waiting?.id ?? "", waiting?.version ?? 0)
      const rejected = yield* registry.getOwned(owner.id, "pr1smaBad0123456789abcdef")
      assert.deepInclude(rejected, { status: "rejected", rejectionReason: "Say what it is for, please." })
      assert.strictEqual((yield* registry.resubmit(owner.id, rejected.id)).status, "pending")
    }))
})
