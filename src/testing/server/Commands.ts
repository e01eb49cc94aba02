import { Duration, Effect, Schema } from "effect"
import { Role } from "../../core/accounts/people/Account.ts"
import { ClientStatus } from "../../core/clients/records/Client.ts"
import { ClientKind } from "../../core/clients/records/ClientKind.ts"
import { scopeThat } from "../../core/clients/records/EnteredScope.ts"
import type { BadRequest, NotFound } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import * as Input from "../../domain/Input.ts"
import { reviewDecisions, userDecisions } from "../Choice.ts"
import type { TestApp, TestUser } from "../Fixtures.ts"
import { TestServer } from "../TestServer.ts"
import * as Faults from "./Faults.ts"
import * as Made from "./Made.ts"
import type { StartingData } from "./StartingData.ts"

/** Does what the body asks, and returns what is answered. */
export type Command = (body: unknown) => Effect.Effect<unknown, BadRequest | NotFound>

/** Commands of a test server, by the last part of their addresses; docs/testing.md lists them. */
export const make = Effect.fnUntraced(function*(start: StartingData, restore: Effect.Effect<void>) {
  const server = yield* TestServer
  const scopes = Schema.optionalKey(Schema.Array(scopeThat((yield* Catalogue).isScope)))
  const Asking = Schema.Struct({ app: text, user: text, scopes, decline: scopes })
  const setFaults = yield* Faults.make
  const made = Made.make(start)

  const appOf = (id = start.client.clientId) => made.app(id)
  const userOf = (id: string = start.user.id) => made.user(id)
  const asking = Effect.fnUntraced(function*({ app, user, ...scopes }: typeof Asking.Type) {
    return { app: yield* appOf(app), user: yield* userOf(user), ...scopes }
  })

  const commands = {
    user: command(
      { email: text, name: text, role: Schema.optionalKey(Role), organization: Schema.optionalKey(Organization) },
      (options) => Effect.tap(server.user(options), made.addUser)
    ),

    app: command(
      {
        status: Schema.optionalKey(ClientStatus),
        kind: Schema.optionalKey(ClientKind),
        legacy: flag,
        name: text,
        scopes,
        optionalScopes: scopes,
        redirectUri: text,
        owner: text
      },
      ({ owner, ...options }) =>
        Effect.flatMap(userOf(owner), (owner) => Effect.tap(server.app({ ...options, owner }), made.addApp))
    ),

    decide: command({
      app: Schema.String,
      decision: Schema.Literals(reviewDecisions),
      reason: text
    }, ({ app, decision, reason }) => Effect.flatMap(made.app(app), (app) => server.decide(app, decision, reason))),

    session: command(
      { user: text },
      ({ user }) => Effect.map(Effect.flatMap(userOf(user), server.session), ({ cookie, csrf }) => ({ cookie, csrf }))
    ),

    consent: command({ url: Schema.String, user: text, decision }, ({ decision, url, user }) =>
      Effect.gen(function*() {
        const request = URL.canParse(url, server.url) ? new URL(url, server.url) : undefined
        if (request?.origin !== server.url) {
          return yield* Input.invalid([{ path: "url", message: `must be an address of this server, ${server.url}` }])
        }
        const location = yield* server.consent(request, yield* userOf(user), decision)
        return { location: location.href, ...Object.fromEntries(location.searchParams) }
      })),

    authorize: command({ ...Asking.fields, decision }, ({ decision, ...options }) =>
      Effect.gen(function*() {
        const { app, location, user, ...answer } = yield* server.authorize({
          ...yield* asking(options),
          ...(decision === undefined ? {} : { decision })
        })
        return { ...names({ app, user }), location: location.href, ...answer }
      })),

    tokens: command(
      {
        ...Asking.fields,
        state: Schema.optionalKey(Schema.Literals(["valid", "expired", "revoked", "stolen"]))
      },
      ({ state = "valid", ...options }) =>
        Effect.map(Effect.flatMap(asking(options), tokensIn(server)[state]), ({ app, user, ...tokens }) => ({
          ...names({ app, user }),
          ...tokens
        }))
    ),

    jobs: command({}, () => server.jobs),
    "run-jobs": command({}, () => server.runJobs),
    "run-scheduled-jobs": command({ queue: text }, ({ queue }) => server.runScheduledJobs(queue)),
    mails: command({}, () => server.mails),
    webhooks: command({}, () => server.webhooks),

    advance: command({ duration: DurationText }, ({ duration }) => server.advance(duration)),

    faults: command(
      { databaseAway: flag, tokenDelay: Schema.optionalKey(DurationText) },
      (faults) => setFaults({ ...Faults.none, ...faults })
    ),

    reset: command({}, () =>
      Effect.gen(function*() {
        yield* setFaults(Faults.none)
        yield* restore
        made.reset()
      }))
  }
  return new Map<string, Command>(Object.entries(commands))
})

const command = <const Fields extends Schema.Struct.Fields, A>(
  fields: Fields,
  run: (input: Schema.Struct<Fields>["Type"]) => Effect.Effect<A, BadRequest | NotFound>
) => {
  const decode = Schema.decodeUnknownEffect(Schema.Struct(fields))
  return (body: unknown) =>
    decode(body, { errors: "all", onExcessProperty: "error" }).pipe(
      Effect.mapError(({ issue }) => Input.invalid(Input.faults(issue))),
      Effect.flatMap(run)
    )
}

const text = Schema.optionalKey(Schema.String)
const flag = Schema.optionalKey(Schema.Boolean)
const decision = Schema.optionalKey(Schema.Literals(userDecisions))

/** A duration in words, such as `31 minutes`. */
const DurationText = Schema.DurationFromString.check(
  Schema.makeFilter((duration: Duration.Duration) =>
    Duration.isFinite(duration) && !Duration.isNegative(duration) || "must be finite, and not negative"
  )
)

const tokensIn = ({ expiredTokens, revokedTokens, stolenTokens, tokens }: TestServer["Service"]) => ({
  valid: tokens,
  expired: expiredTokens,
  revoked: revokedTokens,
  stolen: stolenTokens
})

const names = ({ app, user }: { readonly app: TestApp; readonly user: TestUser }) => ({
  app: app.clientId,
  user: user.id
})

const Organization = Schema.Struct({ name: Schema.String, decides: Schema.optionalKey(Schema.Boolean) })
