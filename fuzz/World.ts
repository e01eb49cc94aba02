import { Duration, Effect, Option, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../src/core/accounts/local/Accounts.ts"
import { paths, type Purpose } from "../src/core/accounts/local/MailedLink.ts"
import { MailedLinks } from "../src/core/accounts/local/MailedLinks.ts"
import { ManagedAccounts } from "../src/core/accounts/local/ManagedAccounts.ts"
import type { Account } from "../src/core/accounts/people/Account.ts"
import { Sessions } from "../src/core/accounts/people/Sessions.ts"
import { ClientDocuments } from "../src/core/clients/documents/ClientDocuments.ts"
import { TrustedHosts } from "../src/core/clients/documents/TrustedHosts.ts"
import { InitialTokens } from "../src/core/clients/dynamic/InitialTokens.ts"
import { EventEndpoints } from "../src/core/clients/events/EventEndpoints.ts"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../src/core/clients/life/Registration.ts"
import { RegistrationDrafts } from "../src/core/clients/life/RegistrationDrafts.ts"
import { CoOwners } from "../src/core/clients/owners/CoOwners.ts"
import { OwnerInvitations } from "../src/core/clients/owners/OwnerInvitations.ts"
import { nobody } from "../src/core/clients/records/Nobody.ts"
import { playgroundCallback } from "../src/core/clients/records/PlaygroundAddress.ts"
import { ClientReview } from "../src/core/clients/review/ClientReview.ts"
import { ReviewDesk } from "../src/core/clients/review/ReviewDesk.ts"
import { ReviewWishes } from "../src/core/clients/review/ReviewWishes.ts"
import { SealedSecrets } from "../src/core/clients/secrets/SealedSecrets.ts"
import { SecretVault } from "../src/core/clients/secrets/SecretVault.ts"
import { TestAppDecision } from "../src/core/clients/testapps/TestAppDecision.ts"
import { TestApps } from "../src/core/clients/testapps/TestApps.ts"
import { TestGuests } from "../src/core/clients/testapps/TestGuests.ts"
import { AppReports } from "../src/core/consent/AppReports.ts"
import { CodeStore } from "../src/core/grants/CodeStore.ts"
import { LegacyImport } from "../src/core/legacy/import/LegacyImport.ts"
import { Resources } from "../src/core/resources/Resources.ts"
import { RefreshTokens } from "../src/core/tokens/RefreshTokens.ts"
import { ResourceServers } from "../src/core/tokens/ResourceServers.ts"
import { ClientId, SecretId } from "../src/domain/Ids.ts"
import { registrationPath } from "../src/doors/oauth/ServerMetadata.ts"
import { cookieName } from "../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { nameOf } from "../test/core/clients/Fixture.ts"
import * as Live from "../test/support/LiveServer.ts"
import { PictureHost } from "../test/support/PictureHost.ts"

/** Somebody with an account, an API key and a signed-in browser. */
export interface Person {
  readonly account: Account
  readonly apiKey: string
  /** Session token of the browser, the cookie that carries it, and the token of its forms. */
  readonly session: string
  readonly cookie: string
  readonly csrf: string
}

/** An app with what its clients send. */
export interface App {
  readonly id: string
  readonly secretId: string
  readonly secret: string
  readonly redirectUri: string
  readonly accessToken: string
  readonly refreshToken: string
}

/** An app that registered by itself, with what manages it. */
export interface Registered {
  readonly id: string
  readonly secret: string
  readonly token: string
}

/**
 * People and apps that the requests are about. They are replaced now and then, because what the fuzzer does stays done.
 */
export interface World {
  readonly developer: Person
  readonly admin: Person
  /** An account that administrators act on, and that mailed links are for. */
  readonly other: Account
  readonly disabled: Account
  /** An app in each state, all of the developer. */
  readonly apps: readonly [App, ...ReadonlyArray<App>]
  /** Ids of the pages on which the developer waits for the review of an app. */
  readonly waiting: ReadonlyArray<string>
  /** A registration that the developer has begun, and that can be sent as it is. */
  readonly draft: string
  /** Address of the server, which is the resource that the API is. */
  readonly url: string
  /** A resource beside the API, a credential of it, and an access token for it. */
  readonly resource: {
    readonly id: string
    readonly identifier: string
    readonly credentialId: string
    readonly accessToken: string
  }
  /** Credential of a server of the API, and the grant of the first app, of whose calls it may report. */
  readonly reporter: { readonly credential: string; readonly grant: string }
  /** Apps that registered by themselves; only one of them is there to be removed. */
  readonly registered: { readonly kept: Registered; readonly removed: Registered }
  readonly initialToken: { readonly id: string; readonly token: string }
  /** Values that no answer and no log may contain. */
  readonly secrets: ReadonlyArray<string>
  /** A new code for the first app, which the developer allowed. */
  readonly code: Effect.Effect<string, never, ClientRegistry | CodeStore>
  /** Token of a new mailed link to the page at a path; `undefined` if mails lead to no such page. */
  readonly mailed: (path: string) => Effect.Effect<string | undefined, never, Accounts | MailedLinks>
}

/** RFC 7636 Appendix B. */
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

export const make = Effect.gen(function*() {
  const developer = yield* person("user")
  const admin = yield* person("admin")
  const other = yield* Live.newAccount()
  const disabled = yield* Live.newAccount()
  yield* Effect.orDie((yield* ManagedAccounts).setDisabled(disabled.id, true, admin.account.id))
  const playground = playgroundCallback(yield* AppConfig)
  const approved = yield* register(developer, admin, { redirectUris: [redirectUri, playground] })
  const waiting = yield* register(developer, undefined)
  const rejected = yield* register(developer, undefined)
  const changed = yield* register(developer, admin)
  const suspended = yield* register(developer, admin)
  const legacy = yield* importApp(developer)
  const migrated = yield* importApp(developer)
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  yield* Effect.orDie(review.reject(admin.account.id, rejected.id, "The website does not answer.", 1))
  yield* Effect.orDie(registry.edit(developer.account.id, changed.id, { name: "Door display" }))
  yield* Effect.orDie(
    registry.edit(developer.account.id, migrated.id, { scopes: ["PROFILE_READ"], breakOldUrls: true })
  )
  const desk = yield* ReviewDesk
  for (const { id } of [waiting, changed]) yield* Effect.orDie(desk.ask(admin.account.id, id, "What is it for?"))
  const endpoints = yield* EventEndpoints
  yield* Effect.orDie(endpoints.set(developer.account.id, approved.id, { url: "https://app.example/events" }))
  yield* Effect.orDie(endpoints.test(developer.account.id, approved.id))
  // An event that was given up can be sent again.
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    sql`UPDATE app_events SET due_at = NULL, attempts = 29, fault = 'slow' WHERE client_id = ${approved.id}`
  )
  // Calls of weeks, so that the scopes that nobody uses can be dropped.
  yield* Effect.orDie(sql`UPDATE usage_gaps SET day = day - 100`)
  yield* Effect.orDie(
    sql`UPDATE clients SET created_at = now() - interval '100 days', reviewed_at = now() - interval '100 days'
      WHERE id = ${changed.id}`
  )
  yield* Effect.orDie(
    sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
      VALUES (${changed.id}, now()::date - 1, 'PROFILE_READ', 'allowed', 3)`
  )
  // Access of nine months, so that what was not used for six can be ended.
  yield* Effect.orDie(
    sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
      SELECT gen_random_uuid(), '', ${changed.id}::text, id, '{PROFILE_READ}', now(), now() - interval '9 months',
        now() + interval '90 days' FROM accounts WHERE id IN (${developer.account.id}, ${admin.account.id})`
  )
  yield* Effect.orDie((yield* AppReports).report(other.id, approved.id, "It asks for more than it says."))
  const draft = crypto.randomUUID()
  yield* (yield* RegistrationDrafts).save(developer.account.id, draft, registration())
  // The administrator is invited, and a guest whom nobody is can be removed.
  // An administrator of the world before may have stopped them.
  yield* (yield* TestAppDecision).allow(admin.account.id)
  const { client: test } = yield* Effect.orDie((yield* TestApps).make(developer.account.id, waiting.id))
  const guests = yield* TestGuests
  for (const guest of [admin.account.email, "nobody@example.com"]) {
    yield* Effect.orDie(guests.invite(developer.account.id, test, guest))
  }
  // The administrator is a co-owner of the approved app, and is invited to share another, which is to be theirs.
  const owners = yield* CoOwners
  const { account } = admin
  for (const { id } of [approved, changed]) {
    const invitation = { person: account.email, role: "owner", takesOver: id === changed.id }
    yield* Effect.orDie(owners.invite(developer.account.id, id, invitation))
  }
  yield* (yield* OwnerInvitations).accept(account, approved.id)
  yield* Effect.orDie(owners.invite(developer.account.id, approved.id, { person: "nobody", role: "developer" }))
  yield* Effect.orDie(owners.transfer(developer.account.id, approved.id, account.id))
  const replaced = yield* leak(suspended)
  const resource = yield* registerResource(admin)
  const { info, token } = yield* Effect.orDie(
    (yield* InitialTokens).create({ name: "Desktop clients" }, admin.account.id)
  )
  const initialToken = { id: info.id, token: Redacted.value(token) }
  const registered = { kept: yield* registerItself, removed: yield* registerItself }
  yield* Effect.orDie((yield* TrustedHosts).trust(admin.account.id, "pictures.example"))
  const described = { ...waiting, id: yield* introduce(developer) }
  const code = issueCode(approved.id, developer)
  const ofResource = yield* connect(approved, yield* issueCode(approved.id, admin, resource.identifier))
  const first = yield* connect(approved, yield* code)
  const { credential } = yield* (yield* ResourceServers).create("Bookings")
  const reporter = {
    credential: Redacted.value(credential),
    grant: (yield* RefreshTokens).read(first.refreshToken)?.grantId ?? ""
  }
  const apps = [
    first,
    waiting,
    rejected,
    changed,
    replaced,
    legacy,
    migrated,
    described
  ] as const
  const credentials = [...apps, ofResource].flatMap(({ accessToken, refreshToken, secret }) => [
    accessToken,
    refreshToken,
    secret
  ])
  const ofPeople = [developer, admin].flatMap(({ apiKey, session }) => [apiKey, session])
  return {
    developer,
    admin,
    other,
    disabled,
    apps,
    draft,
    url: (yield* Live.LiveServer).url,
    waiting: yield* waitingFor(developer, admin),
    resource: { ...resource, accessToken: ofResource.accessToken },
    reporter,
    registered,
    initialToken,
    secrets: [...credentials, ...ofPeople, initialToken.token, reporter.credential, Live.password].filter((value) =>
      value !== ""
    ),
    code,
    mailed: mailedToken(other, admin)
  } satisfies World
})

/** Apps that nobody registered, each with a request that waits: one that is new, and one that asks for more. */
const waitingFor = Effect.fnUntraced(function*(developer: Person, admin: Person) {
  const sql = yield* SqlClient.SqlClient
  const wishes = yield* ReviewWishes
  const apps = [yield* register(developer, undefined), yield* register(developer, admin)]
  return yield* Effect.forEach(apps, ({ id }) =>
    Effect.gen(function*() {
      yield* sql`UPDATE clients SET origin = 'dynamic', owner_id = ${nobody} WHERE id = ${id}`
      const query = new URLSearchParams({ client_id: id, redirect_uri: redirectUri, scope: "TEAM_BOOKING_READ" })
      const request = yield* wishes.keep(developer.account.id, ClientId.make(id), `/auth/oauth2/authorize?${query}`)
      return request.id
    }).pipe(Effect.orDie))
})

export const redirectUri = "https://app.example/callback"

/** An app that describes itself and waits. */
const introduce = Effect.fnUntraced(function*({ account }: Person) {
  const host = yield* PictureHost
  const id = `https://other.example/${crypto.randomUUID()}.json`
  const document = JSON.stringify({
    client_id: id,
    client_name: nameOf("Agent", agents++),
    redirect_uris: [redirectUri]
  })
  host.serve(new URL(id).pathname, (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(document)
  })
  // Each world has such an app, and they are of one host, which has a budget of a day.
  yield* Effect.orDie((yield* SqlClient.SqlClient)`DELETE FROM rate_limits`)
  yield* Effect.orDie((yield* ClientDocuments).introduce(id, account.id, ["BOOKING_READ"], ["PROFILE_READ"]))
  return id
})

let agents = 0

const person = Effect.fnUntraced(function*(role: "user" | "admin") {
  const account = yield* Live.newAccount(role)
  const sessions = yield* Sessions
  const session = Redacted.value(yield* sessions.start(account.id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(session))
  return {
    account,
    apiKey: yield* Live.newApiKey(account),
    session,
    cookie: `${cookieName(yield* AppConfig)}=${session}`,
    csrf
  } satisfies Person
})

let apps = 0

const registration = (): RegistrationInput => ({
  kind: "confidential",
  name: nameOf("Wall display", apps++),
  purpose: "Shows the bookings of the day at the door.",
  website: "https://app.example",
  redirectUris: [redirectUri],
  scopes: ["PROFILE_READ", "BOOKING_READ"]
})

const register = Effect.fnUntraced(
  function*(owner: Person, approver: Person | undefined, input: Partial<RegistrationInput> = {}) {
    const registry = yield* ClientRegistry
    const review = yield* ClientReview
    const { client, secret } = yield* registry.register(owner.account.id, { ...registration(), ...input })
    if (approver !== undefined) yield* review.approve(approver.account.id, client.id, client.version)
    const [first] = yield* (yield* SecretVault).list(client.id)
    return {
      id: client.id,
      secretId: first?.id ?? "",
      secret: Redacted.value(Option.getOrThrow(secret)),
      redirectUri,
      accessToken: "",
      refreshToken: ""
    } satisfies App
  },
  Effect.orDie
)

const registerResource = Effect.fnUntraced(function*({ account }: Person) {
  const resource = yield* (yield* Resources).create(account.id, {
    identifier: `https://mcp-${crypto.randomUUID()}.example/mcp`,
    name: "Bookings for agents",
    scopes: ["PROFILE_READ", "BOOKING_READ"],
    baseScopes: ["PROFILE_READ"]
  })
  const { server } = yield* (yield* ResourceServers).createFor(resource, "MCP server", account.id)
  return { id: resource.id, identifier: resource.identifier, credentialId: server.id }
}, Effect.orDie)

const registerItself = Effect.gen(function*() {
  const { url } = yield* Live.LiveServer
  return yield* Effect.promise(async (): Promise<Registered> => {
    const response = await fetch(url + registrationPath, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: nameOf("Agent", agents++), redirect_uris: [redirectUri] })
    })
    const { client_id, client_secret, registration_access_token } = await response.json() as Record<string, string>
    return { id: client_id ?? "", secret: client_secret ?? "", token: registration_access_token ?? "" }
  })
})

/** The app after its only secret was found in public, with the one that its owner can reveal. */
const leak = Effect.fnUntraced(function*(app: App) {
  const clientId = ClientId.make(app.id)
  const place = { by: "secret-scanning", foundAt: "https://code.example/a/.env", source: "content" }
  yield* (yield* SealedSecrets).endLeaked({ clientId, secretId: SecretId.make(app.secretId), ...place })
  const [sealed] = yield* (yield* SecretVault).list(clientId)
  return { ...app, secretId: sealed?.id ?? "" } satisfies App
}, Effect.orDie)

const importApp = Effect.fnUntraced(function*(owner: Person) {
  const app: App = {
    id: `old-${crypto.randomUUID()}`,
    secretId: "",
    secret: `old/secret+${crypto.randomUUID()}`,
    redirectUri: "https://old.example/callback",
    accessToken: "",
    refreshToken: `old/refresh+${crypto.randomUUID()}`
  }
  const record = {
    client_id: app.id,
    owner: owner.account.email,
    name: "Old Timer",
    redirect_uris: [app.redirectUri],
    secrets: [{ secret: app.secret, algorithm: "clear" }],
    refresh_tokens: [{ token: app.refreshToken, algorithm: "clear", user: owner.account.email }]
  }
  yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(record)), "cli")
  return app
}, Effect.orDie)

/** A new code; a text that is none when the app was deleted. */
const issueCode = Effect.fnUntraced(function*(clientId: App["id"], user: Person, resource: string | null = null) {
  const client = yield* (yield* ClientRegistry).find(clientId)
  if (Option.isNone(client)) return "none"
  const code = yield* (yield* CodeStore).issue({
    clientId: client.value.id,
    userId: user.account.id,
    scopes: ["PROFILE_READ"],
    resource,
    redirectUri,
    codeChallenge: challenge
  })
  return Redacted.value(code)
})

const mailedToken = (other: Account, admin: Person) =>
  Effect.fnUntraced(function*(path: string) {
    const purpose = purposes.find((one) => paths[one] === path)
    if (purpose === undefined) return undefined
    const links = yield* MailedLinks
    // A visitor whom a link has signed in may have closed the account.
    const account = yield* Effect.flatMap(
      (yield* Accounts).find(other.id),
      Option.match({
        onNone: () => Live.newAccount(),
        onSome: Effect.succeed
      })
    )
    const linkId = crypto.randomUUID()
    const subject = purpose === "invitation"
      ? { role: "user", invitedBy: admin.account.id } as const
      : { accountId: account.id }
    const email = purpose === "password-reset" ? account.email : newEmail()
    yield* links.open({ id: linkId, purpose, email, lifetime: Duration.hours(1), ...subject })
    const { url } = Option.getOrThrow(yield* links.mint(purpose, linkId))
    return new URL(Redacted.value(url)).searchParams.get("token") ?? undefined
  })

const purposes = Object.keys(paths) as ReadonlyArray<Purpose>

/** An address that no account has. */
export const newEmail = () => `guest-${crypto.randomUUID()}@example.com`

const connect = Effect.fnUntraced(function*(app: App, code: string) {
  const { url } = yield* Live.LiveServer
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: app.id,
    client_secret: app.secret,
    code,
    redirect_uri: app.redirectUri,
    code_verifier: verifier
  })
  const tokens = yield* Effect.promise(async () => {
    const response = await fetch(`${url}/v2/auth/oauth2/token`, { method: "POST", body })
    return await response.json() as { access_token: string; refresh_token: string }
  })
  return { ...app, accessToken: tokens.access_token, refreshToken: tokens.refresh_token }
})
