import { Clock, Effect, Option, Redacted, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { ClientRegistry } from "../core/clients/life/ClientRegistry.ts"
import { ClientStatus } from "../core/clients/records/Client.ts"
import { ClientReview } from "../core/clients/review/ClientReview.ts"
import { LegacyImport } from "../core/legacy/import/LegacyImport.ts"
import type { BadRequest } from "../domain/ApiError.ts"
import { Catalogue } from "../domain/catalogue/Catalogue.ts"
import type { Scope } from "../domain/scopes/Scope.ts"
import { checkChoice, reviewDecisions } from "./Choice.ts"
import type { AppOptions, Decision, TestApp, TestUser } from "./Fixtures.ts"
import { orDefect } from "./OrDefect.ts"
import type { TestUsers } from "./TestUsers.ts"

/** Imports an app of the time before scopes, or a refresh token of one, from a record of `slotkey import-legacy`. */
export type ImportLegacy = (record: object) => Effect.Effect<unknown, BadRequest>

/** Import that the command runs. */
export const importLegacy = Effect.gen(function*() {
  const { apply } = yield* LegacyImport
  const clock = yield* Clock.Clock
  return (record: object) =>
    Effect.provideService(apply(Stream.make(JSON.stringify(record)), "test"), Clock.Clock, clock)
})

/** Apps of a test server, and the decisions about them, by its clock. */
export const make = Effect.fnUntraced(function*({ user }: TestUsers, importLegacy: ImportLegacy) {
  const { isScope, samples } = yield* Catalogue
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  const clock = yield* Clock.Clock
  let made = 0
  let reviewer: TestUser | undefined

  const imported = Effect.fnUntraced(function*(app: TestApp) {
    yield* importLegacy({
      client_id: app.clientId,
      owner: app.owner.email,
      name: app.name,
      kind: app.kind,
      redirect_uris: [app.redirectUri],
      secrets: app.clientSecret === undefined ? [] : [{ secret: app.clientSecret, algorithm: "clear" }]
    })
    return app
  })

  const registered = Effect.fnUntraced(function*(
    app: Omit<TestApp, "clientId" | "clientSecret">,
    optionalScopes: ReadonlyArray<Scope> = []
  ) {
    const { client, secret } = yield* registry.register(app.owner.id, {
      kind: app.kind,
      name: app.name,
      purpose: "An app of a test.",
      website: "https://app.example",
      redirectUris: [app.redirectUri],
      scopes: app.scopes,
      optionalScopes
    })
    const clientSecret = Option.getOrUndefined(Option.map(secret, Redacted.value))
    return { ...app, clientId: client.id, clientSecret } satisfies TestApp
  })

  const decide = Effect.fn("TestServer.decide")(
    function*(app: TestApp, decision: Decision, reason = "A test says so.") {
      yield* checkChoice("decision", decision, reviewDecisions)
      reviewer ??= yield* user({ role: "reviewer" })
      const { version } = yield* review.get(app.clientId)
      const act = {
        approve: review.approve(reviewer.id, app.clientId, version),
        reject: review.reject(reviewer.id, app.clientId, reason, version),
        suspend: review.suspend(reviewer.id, app.clientId, reason),
        resume: review.resume(reviewer.id, app.clientId)
      }
      yield* act[decision]
    },
    Effect.provideService(Clock.Clock, clock),
    orDefect
  )

  const create = Effect.fn("TestServer.app")(
    function*(options: AppOptions) {
      made += 1
      const { legacy = false, status = "approved" } = options
      yield* checkChoice("status", status, ClientStatus.literals)
      const wanted = {
        kind: options.kind ?? "confidential",
        name: options.name ?? `Test App ${made}`,
        redirectUri: options.redirectUri ?? "https://app.example/callback",
        scopes: legacy ? [] : options.scopes ?? samples.tests,
        legacy,
        owner: options.owner ?? (yield* user())
      } as const
      if (legacy) {
        const clientSecret = wanted.kind === "public" ? undefined : randomUUID()
        return yield* imported({ ...wanted, clientId: `legacy-${randomUUID()}`, clientSecret })
      }
      const app = yield* registered(wanted, options.optionalScopes)
      for (const decision of decisions[status]) yield* decide(app, decision)
      return app
    },
    Effect.provideService(Clock.Clock, clock),
    orDefect
  )

  return {
    app: (options: AppOptions = {}) => create(options),
    /** App that may ask for these, where a test names no app. */
    appFor: (scopes: ReadonlyArray<Scope> = []) =>
      create({ scopes: [...new Set([...samples.tests, ...scopes.filter(isScope)])] }),
    decide,
    /** After the database was emptied. */
    forget: () => void (reviewer = undefined)
  }
})

/** Steps that lead a newly registered app to a status. */
const decisions: Readonly<Record<ClientStatus, ReadonlyArray<Decision>>> = {
  pending: [],
  approved: ["approve"],
  rejected: ["reject"],
  suspended: ["approve", "suspend"]
}

export type TestApps = Effect.Success<ReturnType<typeof make>>
