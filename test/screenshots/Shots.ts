import { Effect, Option, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import type { Account, Role } from "../../src/core/accounts/people/Account.ts"
import { Continuations } from "../../src/core/accounts/people/Continuations.ts"
import { ClientDocuments } from "../../src/core/clients/documents/ClientDocuments.ts"
import { EventEndpoints } from "../../src/core/clients/events/EventEndpoints.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../src/core/clients/life/Registration.ts"
import { CoOwners } from "../../src/core/clients/owners/CoOwners.ts"
import { OwnerInvitations } from "../../src/core/clients/owners/OwnerInvitations.ts"
import { nobody } from "../../src/core/clients/records/Nobody.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { ReviewDesk } from "../../src/core/clients/review/ReviewDesk.ts"
import { ReviewWishes } from "../../src/core/clients/review/ReviewWishes.ts"
import { SealedSecrets } from "../../src/core/clients/secrets/SealedSecrets.ts"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import { TestApps } from "../../src/core/clients/testapps/TestApps.ts"
import { TestGuests } from "../../src/core/clients/testapps/TestGuests.ts"
import { TestInvitations } from "../../src/core/clients/testapps/TestInvitations.ts"
import { CodeStore } from "../../src/core/grants/CodeStore.ts"
import { LegacyImport } from "../../src/core/legacy/import/LegacyImport.ts"
import { Resources } from "../../src/core/resources/Resources.ts"
import { ResourceServers } from "../../src/core/tokens/ResourceServers.ts"
import { ClientId } from "../../src/domain/Ids.ts"
import { appPath, appTabPath, lackingPath, ownersPath, reviewPath, wishesPath } from "../../src/doors/parts/Paths.ts"
import { resourcePath } from "../../src/doors/resources/ResourcesView.ts"
import { connectApps, kinds, useApps } from "../support/ConnectedApps.ts"
import { LiveServer, password } from "../support/LiveServer.ts"
import { picture, PictureHost } from "../support/PictureHost.ts"

/** One page as one account sees it. */
export interface Shot {
  readonly name: string
  /** Account that is signed in. */
  readonly role?: Account
  readonly go: (page: Page) => Promise<unknown>
  /** Most pixels that it may be high on a phone: two screens of 844 for each page of an app, except its scopes. */
  readonly tallest?: number
  /** Suffixes of the variants that the documentation shows. */
  readonly looks?: ReadonlyArray<string>
}

const account = Effect.fnUntraced(function*(email: string, name: string, role: Role) {
  return yield* Effect.orDie((yield* Accounts).create({ email, name, password: Redacted.make(password), role }))
})

const display: RegistrationInput = {
  kind: "confidential",
  name: "Wall Display",
  purpose: "Shows the bookings of the day at the door of a meeting room, and lets people confirm them.",
  tagline: "Shows today's bookings at the door of a room.",
  website: "https://display.example",
  privacyUrl: "https://display.example/privacy",
  termsUrl: "https://display.example/terms",
  contact: "help@display.example",
  redirectUris: ["https://display.example/callback", "http://localhost:8765/callback"],
  scopes: ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE"],
  optionalScopes: ["PROFILE_READ", "BOOKING_WRITE"]
}

const unusedScopes = [
  "SCHEDULE_WRITE",
  "WEBHOOK_READ",
  "WEBHOOK_WRITE",
  "TEAM_BOOKING_WRITE",
  "TEAM_PROFILE_READ",
  "ORG_BOOKING_READ",
  "ORG_BOOKING_WRITE",
  "ORG_PROFILE_READ",
  "ORG_MEMBERSHIP_READ"
]

/** Every page of a server that has something to show. */
export const shots = Effect.gen(function*() {
  const { url } = yield* LiveServer
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  const desk = yield* ReviewDesk
  const vault = yield* SecretVault
  const codes = yield* CodeStore
  const { serve } = yield* PictureHost
  serve("/blue.png", yield* Effect.promise(() => picture("#2a5fd0")))
  serve("/green.png", yield* Effect.promise(() => picture("#1d8a5b")))
  const dev = yield* account("dora@example.com", "Dora Developer", "user")
  const user = yield* account("uma@example.com", "Uma User", "user")
  const admin = yield* account("ada@example.com", "Ada Admin", "admin")
  const rita = yield* account("rita@example.com", "Rita Reviewer", "reviewer")
  const dexter = yield* account("dexter@example.com", "Dexter Distant", "user")
  const connor = yield* account("connor@example.com", "Connor Careful", "user")
  const collin = yield* account("collin@example.com", "Collin Collector", "user")

  /** Calls of an app that was approved long ago, by what they needed. */
  const used = Effect.fnUntraced(function*(id: string, calls: Readonly<Record<string, number>>) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE clients SET reviewed_at = reviewed_at - interval '20 weeks' WHERE id = ${id}`
    yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
      SELECT ${id}, (clock_timestamp() AT TIME ZONE 'UTC')::date, n.need, 'allowed', n.calls
      FROM unnest(${Object.keys(calls)}::text[], ${Object.values(calls)}::bigint[]) AS n (need, calls)`
  }, Effect.orDie)

  const register = (input: Partial<RegistrationInput>) =>
    Effect.orDie(registry.register(dev.id, { ...display, ...input }))
  const approved = Effect.fnUntraced(function*(input: Partial<RegistrationInput>) {
    const { client, secret } = yield* register(input)
    return { client: yield* Effect.orDie(review.approve(admin.id, client.id, client.version)), secret }
  })

  const { client, secret } = yield* approved({ logoUrl: "https://pictures.example/blue.png" })
  yield* Effect.orDie(vault.generate(client.id))
  const connect = Effect.fnUntraced(function*(owner: Account) {
    const [redirectUri = ""] = client.redirectUris
    const code = yield* codes.issue({
      clientId: client.id,
      userId: owner.id,
      scopes: client.scopes.slice(0, 2),
      redirectUri,
      codeChallenge: null
    })
    yield* token({
      grant_type: "authorization_code",
      client_id: client.id,
      client_secret: Option.match(secret, { onNone: () => "", onSome: Redacted.value }),
      code: Redacted.value(code),
      redirect_uri: redirectUri
    })
  })
  const token = (fields: Record<string, string>) =>
    Effect.promise(() => fetch(`${url}/v2/auth/oauth2/token`, { method: "POST", body: new URLSearchParams(fields) }))
  yield* connect(user)
  yield* connect(admin)
  yield* token({ grant_type: "authorization_code", client_id: client.id, client_secret: "slk_secret_old" })
  yield* token({ grant_type: "refresh_token", client_id: client.id })
  yield* Effect.promise(() =>
    fetch(`${url}/auth/oauth2/authorize?client_id=${client.id}&redirect_uri=https://display.example`)
  )

  const imported = {
    client_id: "old-timer",
    owner: dev.id,
    name: "Old Timer",
    website: "https://timer.example",
    redirect_uris: ["https://timer.example/callback"],
    secrets: [{ secret: "a-secret-of-the-old-server", algorithm: "clear" }],
    refresh_tokens: [{ token: "a-token-of-the-old-server", algorithm: "clear", user: user.id }]
  }
  yield* Effect.orDie((yield* LegacyImport).apply(Stream.make(JSON.stringify(imported)), "cli"))

  // An endpoint that took some events and not others; nothing is sent from here.
  const endpoints = yield* EventEndpoints
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(endpoints.set(dev.id, client.id, { url: "https://display.example/events" }))
  yield* Effect.orDie(endpoints.rotate(dev.id, client.id))
  yield* sql`INSERT INTO app_events (message_id, client_id, type, data, at, tried_until, due_at, attempts, status, fault,
      delivered_at)
    SELECT 'msg_' || n, ${client.id}, type, '{}', now() - n * interval '3 hours', now(), due, tries, answer, fault, taken
    FROM (VALUES
      (4, 'app.approved', NULL::timestamptz, 1, 204, NULL, now()),
      (3, 'grant.ended', NULL, 29, NULL, 'slow', NULL),
      (2, 'grant.ended', now() + interval '1 hour', 7, 503, NULL, NULL),
      (1, 'endpoint.test', now() + interval '1 hour', 0, NULL, NULL, NULL)
    ) AS e (n, type, due, tries, answer, fault, taken) ORDER BY n DESC`
  yield* sql`UPDATE event_endpoints SET failures = 7, retry_at = now() + interval '1 hour' WHERE client_id = ${client.id}`

  const resources = yield* Resources
  const mcp = yield* Effect.orDie(resources.create(admin.id, {
    identifier: "https://mcp.example.com/mcp",
    name: "Bookings for agents",
    scopes: ["BOOKING_READ", "BOOKING_WRITE", "SCHEDULE_READ", "PROFILE_READ"],
    baseScopes: ["BOOKING_READ"]
  }))
  yield* Effect.orDie((yield* ResourceServers).createFor(mcp, "MCP server", admin.id))
  yield* sql`UPDATE grants SET resource = ${mcp.identifier} WHERE user_id = ${admin.id}`

  const rejected = yield* register({ name: "Night Owl", purpose: "Books at night." })
  yield* Effect.orDie(review.reject(rita.id, rejected.client.id, "Please say what the app books, and for whom.", 1))
  const waiting = yield* register({ name: "Team Planner", purpose: "Plans the shifts of a team." })
  const documents = yield* ClientDocuments
  const host = yield* PictureHost
  const documentOf = (name: string, host: string, redirectUris: ReadonlyArray<string>) => {
    const address = `https://${host}/${name.toLowerCase().replaceAll(" ", "-")}.json`
    const body = { client_id: address, client_name: name, redirect_uris: redirectUris, scope: "BOOKING_READ" }
    return { address, body: `${JSON.stringify(body, null, 2)}\n` }
  }
  const introduced = Effect.fnUntraced(function*(name: string, at: string, redirectUris: ReadonlyArray<string>) {
    const { address, body } = documentOf(name, at, redirectUris)
    host.serve(new URL(address).pathname, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(body)
    })
    return yield* Effect.orDie(
      documents.introduce(address, user.id, ["PROFILE_READ", "BOOKING_READ"], ["PROFILE_READ"])
    )
  })
  const agent = yield* introduced("Desk Agent", "pictures.example", ["https://pictures.example/callback"])
  const local = yield* introduced("Code Agent", "other.example", ["http://127.0.0.1/callback"])
  yield* Effect.orDie(review.approve(rita.id, local.id, local.version))
  yield* Effect.orDie(documents.trust(rita.id, "other.example", ["PROFILE_READ"]))
  const localRequest = `/auth/oauth2/authorize?${
    new URLSearchParams({
      client_id: local.id,
      redirect_uri: "http://127.0.0.1:3118/callback",
      response_type: "code",
      scope: "PROFILE_READ BOOKING_READ",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256"
    }).toString()
  }`

  const tests = yield* TestApps
  const guests = yield* TestGuests
  const { client: test } = yield* Effect.orDie(tests.make(dev.id, waiting.client.id))
  for (const guest of [dexter.email, user.email, "somebody@example.com"]) {
    yield* Effect.orDie(guests.invite(dev.id, test, guest))
  }
  yield* (yield* TestInvitations).accept(user, test.id)
  const testRequest = `/auth/oauth2/authorize?${new URLSearchParams({
    client_id: test.id,
    redirect_uri: test.redirectUris[0] ?? "",
    scope: "PROFILE_READ BOOKING_READ"
  })}`
  const owners = yield* CoOwners
  const invitations = yield* OwnerInvitations
  const invite = (id: string, person: string, role: "owner" | "developer") =>
    Effect.orDie(owners.invite(dev.id, id, { person, role }))
  const handed = (yield* register({ name: "Room Guide", purpose: "Leads guests to their room." })).client
  yield* Effect.orDie(review.approve(rita.id, handed.id, 1))
  yield* invite(handed.id, dexter.email, "owner")
  yield* invitations.accept(dexter, handed.id)
  yield* Effect.orDie(owners.transfer(dev.id, handed.id, dexter.id))
  for (const person of [dexter.email, "somebody@example.com"]) yield* invite(client.id, person, "developer")
  yield* invitations.accept(dexter, client.id)
  yield* invite(waiting.client.id, dexter.email, "owner")
  const asked = (yield* register({ name: "Meeting Room", purpose: "Shows who has the room." })).client.id
  yield* Effect.orDie(desk.claim(rita.id, asked))
  yield* Effect.orDie(desk.note(rita.id, asked, "The website is that of a shop for door signs, which fits."))
  yield* Effect.orDie(desk.ask(rita.id, asked, "Does it show bookings of rooms alone, or of people, too?"))
  yield* Effect.orDie(desk.answer(dev.id, asked, "Of the person who has booked the room."))
  yield* Effect.orDie(desk.ask(admin.id, asked, "Where do visitors see it?\n\nA picture would help."))
  // The second letter is Cyrillic, and another account registers it.
  const imposter = yield* Effect.orDie(
    registry.register(user.id, {
      ...display,
      name: "W\u0430ll Display",
      redirectUris: ["https://walldisplay.example/callback"]
    })
  )
  const { client: pocket } = yield* register({
    name: "Pocket Calendar",
    kind: "public",
    redirectUris: ["com.example.pocket:/callback"]
  })
  const changed = (yield* approved({
    name: "Round Robin",
    purpose: "Hands bookings around.",
    logoUrl: "https://pictures.example/blue.png"
  })).client
  yield* Effect.orDie(
    registry.edit(dev.id, changed.id, {
      ...display,
      name: "Round Robin Pro",
      logoUrl: "https://pictures.example/green.png",
      scopes: ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE", "TEAM_BOOKING_READ"],
      optionalScopes: ["BOOKING_WRITE", "TEAM_BOOKING_READ"],
      redirectUris: ["https://display.example/callback", "https://pro.display.example/callback"],
      version: changed.version
    })
  )

  yield* used(changed.id, { BOOKING_READ: 4120, PROFILE_READ: 3 })
  const directory = {
    purpose: "Shows who works where, and which room they have booked.",
    scopes: ["PROFILE_READ", "ORG_PROFILE_READ", "ORG_MEMBERSHIP_READ", "ORG_MEMBERSHIP_WRITE"]
  } as const
  for (const name of ["Staff Directory", "Floor Plan"]) {
    const { client } = yield* approved({ ...directory, name, optionalScopes: [] })
    yield* used(client.id, { PROFILE_READ: 88, ...(name === "Floor Plan" ? { ORG_MEMBERSHIP_WRITE: 2 } : {}) })
  }

  const stopped = (yield* approved({ name: "Door Bell", purpose: "Rings when a booking begins." })).client
  const suspended = (yield* approved({ name: "Desk Lamp", purpose: "Lights up while somebody has the desk." })).client
  yield* Effect.orDie(review.suspend(admin.id, suspended.id, "It asks for bookings of other desks.", suspended.version))
  const refusedChange = (yield* approved({ name: "Lobby Screen", purpose: "Greets visitors by their names." })).client
  const wanted = yield* Effect.orDie(
    registry.edit(dev.id, refusedChange.id, { tagline: "Greets everybody.", version: refusedChange.version })
  )
  yield* Effect.orDie(review.reject(rita.id, refusedChange.id, "Whom does it greet?", wanted.version))

  /**
   * App that describes itself, with the page on which a user waits for its review, and their wish. A person has one
   * wish of an app, so each state is an app of its own.
   */
  const wishes = yield* ReviewWishes
  const awaitedAgent = Effect.fnUntraced(
    function*(host: string, name: string, more: { readonly asked?: boolean; readonly isApproved?: boolean } = {}) {
      const { client } = yield* register({
        kind: "public",
        name,
        website: `https://${host}`,
        redirectUris: ["http://127.0.0.1/callback"],
        scopes: ["PROFILE_READ", "BOOKING_READ"],
        optionalScopes: []
      })
      const id = ClientId.make(`https://${host}/client.json`)
      yield* sql`UPDATE clients SET id = ${id}, origin = 'document', owner_id = ${nobody} WHERE id = ${client.id}`
      if (more.isApproved) yield* review.approve(admin.id, id, 1)
      const scopes = ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE"]
      const query = new URLSearchParams({
        client_id: id,
        redirect_uri: "http://127.0.0.1:8123/callback",
        scope: more.isApproved ? scopes.join(" ") : scopes.slice(0, 2).join(" ")
      })
      const request = yield* wishes.keep(user.id, id, `/auth/oauth2/authorize?${query}`)
      if (more.asked) {
        yield* wishes.ask(
          user.id,
          id,
          scopes.slice(0, 2),
          "It should plan my week, and our whole team wants to try it."
        )
      }
      return { id, path: `/auth/oauth2/waiting/${request.id}` }
    },
    Effect.orDie
  )
  const newAgent = yield* awaitedAgent("agent.example", "Calendar Agent")
  const awaited = yield* awaitedAgent("helper.example", "Meeting Helper", { asked: true })
  const moreAgent = yield* awaitedAgent("rota.example", "Rota Agent", { isApproved: true })
  const refusedAgent = yield* awaitedAgent("spam.example", "Deal Finder", { asked: true })
  yield* Effect.orDie(review.reject(rita.id, refusedAgent.id, "Nobody says who runs it. An imprint would help.", 1))

  /** An app from before scopes that was observed for this many days, with requests by what they named in `scope`. */
  const legacyApp = Effect.fnUntraced(
    function*(name: string, days: number, requests: Readonly<Record<string, number>>) {
      const { client } = yield* approved({ name, purpose: "Plans since before there were scopes." })
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}',
      observed_since = now() - ${days}::int * interval '1 day' WHERE id = ${client.id}`
      for (const [key, count] of Object.entries(requests)) {
        yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
        SELECT ${client.id}, (now() - n * interval '1 day')::date, ${key}, ${count}::int + n % 5,
          now() - n * interval '1 day' FROM generate_series(0, ${days}::int - 1) n`
      }
      return client
    }
  )
  const scopes = { "*": 12, PROFILE_READ: 12, BOOKING_READ: 7 }
  const legacy = yield* legacyApp("Old Planner", 12, {
    ...scopes,
    "": 9
  })
  yield* sql`UPDATE usage_gaps SET day = current_date - 300`
  for (
    const [need, outcome, calls] of [["BOOKING_READ", "unrestricted", 138], ["APPS_READ", "unrestricted", 1], [
      "",
      "unlisted",
      2
    ]] as const
  ) {
    yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
      SELECT ${legacy.id}, (now() - n * interval '1 day')::date, ${need}, ${outcome}, ${calls}::int + n % 5
      FROM generate_series(0, 11) n`
  }
  for (
    const [operation, calls] of [["POST /v2/api-keys/refresh", 38], [
      "GET /v2/auth/oauth2/clients/{clientId}",
      16
    ]] as const
  ) {
    yield* sql`INSERT INTO client_operations (client_id, day, operation, outcome, calls)
      VALUES (${legacy.id}, now()::date, ${operation}, 'closed', ${calls})`
  }
  const early = yield* legacyApp("Young Import", 3, scopes)
  const words = yield* legacyApp("Word Collector", 20, { ...scopes, " openid": 12, " READ_BOOKING": 4 })
  const safe = yield* legacyApp("Ready Rooms", 25, scopes)
  const inReview = yield* legacyApp("Team Rota", 25, scopes)
  yield* Effect.orDie(
    registry.edit(dev.id, inReview.id, {
      scopes: ["PROFILE_READ", "BOOKING_READ", "TEAM_BOOKING_READ"],
      version: inReview.version,
      breakOldUrls: true
    })
  )
  yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
    VALUES (${inReview.id}, now()::date, '', 2, now())`
  /** Saves fewer scopes than were seen, which is asked about. */
  const narrower = async (page: Page) => {
    await page.goto(`${url}/settings/apps/${safe.id}/migration`)
    await page.locator("input[name='scope:BOOKING_READ']").uncheck()
    await page.getByRole("button", { name: "Save scopes" }).click()
    await page.locator("input[name='breakOldUrls']").waitFor()
  }

  // Calls of 13 weeks, all of which were seen, by what they needed.
  const { client: busy } = yield* approved({
    name: "Shift Board",
    scopes: ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE", "SCHEDULE_READ", ...unusedScopes],
    optionalScopes: []
  })
  const { client: hidden } = yield* approved({ name: "Quiet Corner" })
  yield* sql`UPDATE clients SET created_at = now() - interval '100 days', reviewed_at = now() - interval '100 days'
    WHERE id = ${busy.id}`
  yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
    SELECT c.id, (now() AT TIME ZONE 'UTC')::date - n, need, outcome, ceil(calls * (1.3 + sin(n / 3.5)) * (n % 7 / 6.0 + 0.2))
    FROM generate_series(0, 90) n, (VALUES ('BOOKING_READ', 'allowed', 90, 1), ('SCHEDULE_READ', 'allowed', 41, 1),
      ('PROFILE_READ', 'allowed', 12, 2), ('BOOKING_WRITE', 'allowed', 3, 3), ('TEAM_BOOKING_READ', 'insufficient_scope', 9, 5),
      ('', 'unlisted', 2, 11)) AS v (need, outcome, calls, every),
      (VALUES (${busy.id}, 1), (${hidden.id}, 4)) AS c (id, part)
    WHERE n % every = 0 AND n % part = 0`
  yield* sql`WITH given AS (
      INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
      SELECT gen_random_uuid(), '', ${busy.id}, id, '{PROFILE_READ,BOOKING_READ,SCHEDULE_READ}', now(), now(),
        now() + interval '300 days' FROM accounts RETURNING id
    ), now AS (SELECT floor(extract(epoch FROM now())) AS at)
    INSERT INTO grant_uses (grant_id, rights)
    SELECT id, json_build_object(need, json_build_array(at, at, floor((floor(at / 86400) + 3) / 7), 100))
    FROM (SELECT id, row_number() OVER () AS n FROM given) g
    JOIN (VALUES (1, 'PROFILE_READ'), (2, 'BOOKING_READ'), (3, 'BOOKING_READ'), (4, 'SCHEDULE_READ')) v (of, need) ON of = n
    CROSS JOIN now`
  const rehearsed = async (page: Page) => {
    await page.goto(`${url}/settings/apps/${legacy.id}/migration`)
    await page.locator("input[name='scope:APPS_READ']").uncheck()
    await page.getByRole("button", { name: "Try it, and change nothing" }).click()
    await page.locator(".notice.warning[autofocus]").waitFor()
  }

  const at = (path: string) => (page: Page) => page.goto(`${url}${path}`)
  const authorize = (scope: string, more = "") =>
    `/auth/oauth2/authorize?client_id=${client.id}&redirect_uri=${
      encodeURIComponent("https://display.example/callback")
    }&scope=${scope}&state=abc${more}`

  const start = async (page: Page) => {
    await page.goto(`${url}/playground`)
    await page.getByRole("button", { name: "Start with the demo app" }).click()
  }
  /** Goes through the playground by these buttons, from the consent page on. */
  const playground = (...buttons: ReadonlyArray<string>) => async (page: Page) => {
    await start(page)
    await page.getByRole("link", { name: "Go there as the user" }).click()
    for (const name of buttons) await page.getByRole("button", { name, exact: true }).click()
  }
  const { client: { id: leaked } } = yield* approved({ name: "Leaky Display" })
  const replacement = yield* leakSecret(leaked)
  const newSecret = async (page: Page) => {
    await page.goto(`${url}/settings/apps/${changed.id}/credentials`)
    const generate = page.getByRole("button", { name: "Generate a second secret" })
    // Each variant opens the page again, and an app has at most two secrets.
    if (await generate.count() === 0) {
      await page.getByRole("link", { name: /^Revoke .* now$/ }).click()
      await page.getByRole("button", { name: /^Revoke/ }).click()
    }
    await generate.click()
  }
  /** A form whose session was lost when it was sent, after the sign-in of this account. */
  const lostForm = ({ email }: Account) => async (page: Page) => {
    await page.goto(`${url}/settings/apps/new`)
    await page.fill("[name=name]", "Wall Clock")
    await page.fill("[name=purpose]", "Shows the next booking on a clock at the wall.")
    await page.context().clearCookies()
    await page.getByRole("button", { name: "Next" }).click()
    await page.fill("[name=email]", email)
    await page.fill("[name=password]", password)
    await page.click("main button")
    await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"))
  }
  /** First page of a registration, filled in. */
  const begun = async (page: Page) => {
    await page.goto(`${url}/settings/apps/new`)
    await page.fill("[name=name]", "Wall Display")
    await page.fill("[name=purpose]", "Shows the bookings of the day on a display beside the door.")
    await page.fill("[name=website]", "https://display.example")
    await page.getByRole("button", { name: "Next" }).click()
  }
  const refusedForm = async (page: Page) => {
    await begun(page)
    await page.check("[value=confidential]")
    await page.fill("[name='redirectUris.0']", "https://display.example/callback")
    await page.getByRole("button", { name: "One more address" }).click()
    await page.fill("[name='redirectUris.1']", "http://display.example/callback")
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByText("Redirect address 2 must").waitFor()
  }
  /** Last page of a registration, with what a search has found. */
  const scopeSearch = async (page: Page) => {
    await begun(page)
    await page.check("[value=confidential]")
    await page.fill("[name='redirectUris.0']", "https://display.example/callback")
    await page.getByRole("button", { name: "Next" }).click()
    await page.check("[name='scope:BOOKING_READ']")
    await page.fill("[name=q]", "cancel booking")
    await page.getByRole("button", { name: "Search" }).click()
    await page.getByText("Chosen already").waitFor()
  }
  const recipe = (title: string) => async (page: Page) => {
    await page.goto(`${url}/settings/apps/${client.id}/credentials`)
    await page.locator("summary", { hasText: "With a library" }).click()
    await page.locator("summary", { hasText: title }).click()
  }

  const revoke = async (page: Page) => {
    await page.goto(`${url}/settings/apps/${client.id}/credentials`)
    await page.getByRole("link", { name: /^Revoke .* now$/ }).click()
  }

  const notDeleted = async (page: Page) => {
    await page.goto(`${url}${appTabPath(client.id, "settings")}`)
    await page.getByLabel("Type the name of the app").fill("Wall")
    await page.getByRole("button", { name: "Delete the app" }).click()
    await page.getByText("Nothing was deleted").waitFor()
  }

  /** Form of a reviewer who looked at an app before another one decided about it. */
  const late = async (page: Page) => {
    await page.goto(`${url}/review/${rejected.client.id}`)
    await page.locator("form[action$='/undo-rejection']").evaluate((form) => {
      form.setAttribute("action", form.getAttribute("action")?.replace("undo-rejection", "reject") ?? "")
      form.querySelector("[name=version]")?.setAttribute("value", "1")
    })
    await page.getByRole("textbox", { name: "Reason for taking it back" }).fill("The website does not say who you are.")
    await page.getByRole("button", { name: "Take back the rejection" }).click()
    await page.getByText("The reason that you wrote").waitFor()
  }
  const suspending = async (page: Page) => {
    await page.goto(`${url}/review/${client.id}`)
    await page.getByText("Suspend the app…").click()
  }
  const invitation = async (page: Page) => {
    await page.goto(`${url}/users/invitations`)
    await page.getByRole("textbox", { name: "Email address" }).fill("nora@example.com")
    await page.getByRole("button", { name: "Invite" }).click()
    await page.getByText("Works until").first().waitFor({ state: "attached" })
  }
  /** An app after a decision about it; each variant decides again. */
  const decided = async (page: Page) => {
    await page.goto(`${url}/review/${stopped.id}`)
    const resume = page.getByRole("button", { name: "Resume the app" })
    if (await resume.count() === 0) {
      await page.getByText("Suspend the app…").click()
      await page.getByRole("textbox", { name: "Reason for the suspension" }).fill("Its users ask us to.")
      await page.getByRole("button", { name: "Suspend it for 2 users" }).or(
        page.getByRole("button", { name: "Suspend the app" })
      ).click()
    } else await resume.click()
    await page.getByRole("status").waitFor()
  }

  const revokeKey = async (page: Page) => {
    await page.goto(`${url}/account`)
    await page.getByLabel("What the new key is for").fill("Nightly export")
    await page.getByRole("button", { name: "Create an API key" }).click()
    await page.goto(`${url}/account`)
    await page.getByRole("link", { name: "Revoke Nightly export" }).first().click()
  }

  const run = Effect.runPromiseWith(yield* Effect.context<Continuations | LegacyImport | SqlClient.SqlClient>())
  /**
   * An app whose redirect URIs are to be mended; it comes so late that the lists of the other pictures do not have it.
   */
  const toMend = async (page: Page) => {
    const app = {
      client_id: "crm",
      owner: dexter.id,
      name: "CRM Sync",
      website: "https://crm.example",
      redirect_uris: [
        "https://crm.example/callback",
        "https://crm.example/*",
        "https://*.crm.example/oauth/callback",
        "https://crm.example/a,https://crm.example/b",
        "http://crm.example/callback"
      ],
      secrets: [{ secret: "a-secret-of-the-old-server", algorithm: "clear" }]
    }
    const keeping = { keepsPatterns: true, keepsRedirectUris: true }
    await run(Effect.gen(function*() {
      yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(app)), "cli", keeping)
    }))
    await page.goto(`${url}/settings/apps/crm/settings`)
  }
  /** What a user sees who has signed in again, where nobody has said that it was just now. */
  const notRecent = async (page: Page) => {
    const form = { userId: dexter.id, action: "/account/api-keys", fields: new Map([["name", "Nightly export"]]) }
    const id = await run(
      Effect.gen(function*() {
        yield* (yield* SqlClient.SqlClient)`UPDATE sessions SET authenticated_at = 'epoch' WHERE user_id = ${dexter.id}`
        return yield* (yield* Continuations).keep({ location: "/account", form })
      }).pipe(Effect.orDie)
    )
    await page.goto(`${url}/continue/${id}?recent=1`)
  }

  const refused = authorize("PROFILE_READ").replace("callback", "else")
  /** What support finds by the reference of an error page; it is written a moment after the page. */
  const foundReference = async (page: Page) => {
    await page.goto(`${url}${refused}`)
    const reference = await page.locator(".failure-reference code").textContent()
    do await page.goto(`${url}/review/references?reference=${reference}`)
    while (await page.locator("main table").count() === 0)
  }
  const folded = async (page: Page) => {
    await page.goto(`${url}${refused}`)
    await page.locator("summary").click()
  }

  const [one = ""] = yield* connectApps(connor.id, 1)
  // Legacy apps would be on the migration board, too.
  yield* connectApps(collin.id, 80, kinds.filter((scopes) => scopes !== null))
  yield* Effect.forEach([connor, collin], ({ id }) => useApps(id))

  const pages: ReadonlyArray<Shot> = [
    { name: "home", go: at("/"), looks: ["", "-phone-dark"] },
    { name: "home-signed-in", role: admin, go: at("/") },
    { name: "what-next", role: admin, go: at("/what-next") },
    { name: "sign-in", go: at(authorize("PROFILE_READ")) },
    { name: "sign-in-role", role: user, go: at("/sign-in?return_to=%2Freview&renew=1"), looks: [] },
    { name: "sign-in-not-recent", role: dexter, go: notRecent, looks: [] },
    { name: "account", role: user, go: at("/account") },
    { name: "account-revoke-key", role: user, go: revokeKey },
    {
      name: "consent",
      role: dev,
      go: at(authorize("PROFILE_READ+BOOKING_READ+BOOKING_WRITE")),
      looks: ["", "-phone", "-dark"]
    },
    {
      name: "consent-more",
      role: user,
      go: at(authorize("PROFILE_READ+BOOKING_READ+BOOKING_WRITE", "&prompt=consent"))
    },
    { name: "connections", role: user, go: at("/connections"), looks: ["", "-phone", "-dark"] },
    { name: "connection", role: user, go: at(`/connections/apps/${client.id}`), looks: ["", "-phone-dark"] },
    { name: "connections-none", role: rita, go: at("/connections"), looks: [] },
    {
      name: "connections-one",
      role: connor,
      go: async (page) => {
        await page.goto(`${url}/connections`)
        await page.locator("table.apps summary").first().click()
      },
      looks: []
    },
    { name: "connections-many", role: collin, go: at("/connections"), looks: [] },
    { name: "connections-unused", role: collin, go: at("/connections/unused"), looks: [] },
    { name: "connections-unused-none", role: connor, go: at("/connections/unused"), looks: [] },
    { name: "connection-used", role: connor, go: at(`/connections/apps/${one}`), looks: [] },
    { name: "connection-more", role: user, go: at(wishesPath(client.id)), looks: [] },
    {
      name: "connections-disconnect",
      role: user,
      go: async (page) => {
        await page.goto(`${url}/connections`)
        await page.getByRole("link", { name: /^End access/ }).first().click()
      }
    },
    { name: "apps", role: dev, go: at("/settings/apps") },
    { name: "app-new", tallest: 1670, role: dev, go: at("/settings/apps/new"), looks: ["", "-phone-dark"] },
    { name: "app-new-addresses", tallest: 1270, role: dev, go: begun, looks: ["", "-phone-dark"] },
    {
      name: "app-new-scopes",
      role: dev,
      go: at(`/settings/apps/new/scopes?draft=${crypto.randomUUID()}`),
      looks: ["", "-phone-dark"]
    },
    { name: "app-new-search", role: dev, go: scopeSearch, looks: [] },
    { name: "apps-found", role: dev, go: at("/settings/apps?search=Round"), looks: [] },
    { name: "apps-none", role: rita, go: at("/settings/apps"), looks: [] },
    { name: "app", tallest: 980, role: dev, go: at(appPath(client.id)), looks: ["", "-phone-dark"] },
    {
      name: "app-credentials",
      tallest: 1680,
      role: dev,
      go: at(appTabPath(client.id, "credentials")),
      looks: ["", "-phone"]
    },
    { name: "app-scopes", role: dev, go: at(appTabPath(client.id, "scopes")) },
    { name: "app-activity", tallest: 1688, role: dev, go: at(appTabPath(client.id, "activity")) },
    { name: "app-settings", tallest: 1680, role: dev, go: at(appTabPath(client.id, "settings")) },
    { name: "app-pending", tallest: 1150, role: dev, go: at(appPath(waiting.client.id)), looks: [] },
    { name: "app-suspended", tallest: 1050, role: dev, go: at(appPath(suspended.id)), looks: [] },
    { name: "app-change-rejected", tallest: 1150, role: dev, go: at(appPath(refusedChange.id)), looks: [] },
    { name: "app-first-token", tallest: 1000, role: dev, go: at(appPath(stopped.id)), looks: [] },
    { name: "app-legacy", tallest: 940, role: dev, go: at(appPath(legacy.id)), looks: [] },
    {
      name: "app-credentials-one",
      tallest: 1688,
      role: dev,
      go: at(appTabPath(rejected.client.id, "credentials")),
      looks: []
    },
    {
      name: "app-credentials-public",
      tallest: 1220,
      role: dev,
      go: at(appTabPath(pocket.id, "credentials")),
      looks: []
    },
    { name: "app-scopes-changed", role: dev, go: at(appTabPath(changed.id, "scopes")), looks: [] },
    { name: "app-scopes-legacy", role: dev, go: at(appTabPath(legacy.id, "scopes")), looks: [] },
    {
      name: "app-activity-calls",
      tallest: 1688,
      role: dev,
      go: at(appTabPath(busy.id, "activity")),
      looks: ["", "-phone"]
    },
    {
      name: "app-activity-calls-of",
      tallest: 1450,
      role: dev,
      go: at(`${appTabPath(busy.id, "activity")}?need=BOOKING_READ`),
      looks: []
    },
    {
      name: "app-activity-unknown",
      tallest: 1500,
      role: dev,
      go: at(appTabPath(hidden.id, "activity")),
      looks: []
    },
    {
      name: "app-activity-none",
      tallest: 844,
      role: dev,
      go: at(appTabPath(rejected.client.id, "activity")),
      looks: []
    },
    {
      name: "app-no-reference",
      tallest: 1150,
      role: dev,
      go: at(`${appTabPath(client.id, "activity")}?reference=nothing`),
      looks: []
    },
    { name: "app-settings-refused", role: dev, go: notDeleted, looks: [] },
    { name: "app-events", role: dev, go: at(`/settings/apps/${client.id}/events`), looks: [] },
    { name: "app-events-failed", role: dev, go: at(`/settings/apps/${client.id}/events?show=failed`), looks: [] },
    { name: "app-events-new", role: dev, go: at(`/settings/apps/${rejected.client.id}/events`), looks: [] },
    { name: "app-events-remove", role: dev, go: at(`/settings/apps/${client.id}/events/remove`), looks: [] },
    { name: "app-owners", role: dev, go: at(ownersPath(client.id)), looks: ["", "-phone-dark"] },
    { name: "app-owners-transfer", tallest: 1600, role: dev, go: at(ownersPath(handed.id)), looks: [] },
    { name: "app-owners-developer", tallest: 850, role: dexter, go: at(ownersPath(client.id)), looks: [] },
    {
      name: "app-credentials-developer",
      tallest: 1230,
      role: dexter,
      go: at(appTabPath(client.id, "credentials")),
      looks: []
    },
    { name: "apps-shared", tallest: 1170, role: dexter, go: at("/settings/apps"), looks: [] },
    { name: "review-transfer", role: rita, go: at(reviewPath(handed.id)), looks: [] },
    { name: "app-lacking", role: dev, go: at(lackingPath(client.id)), looks: [] },
    { name: "app-connect", role: dev, go: recipe("Python: Authlib"), looks: [] },
    { name: "app-test", role: dev, go: at(`/settings/apps/${waiting.client.id}/test`), looks: ["", "-phone-dark"] },
    { name: "app-test-offer", role: dev, go: at(`/settings/apps/${asked}/test`), looks: [] },
    { name: "waiting-new", tallest: 1580, role: user, go: at(newAgent.path), looks: ["", "-phone-dark"] },
    { name: "waiting", tallest: 1240, role: user, go: at(awaited.path), looks: ["", "-phone-dark"] },
    { name: "waiting-more", tallest: 1680, role: user, go: at(moreAgent.path), looks: [] },
    { name: "waiting-rejected", tallest: 870, role: user, go: at(refusedAgent.path), looks: [] },
    { name: "waiting-still", tallest: 1210, role: user, go: at(`${awaited.path}?still=1`), looks: [] },
    { name: "review-awaited", role: rita, go: at(`/review/${encodeURIComponent(awaited.id)}`), looks: [] },
    { name: "consent-test", role: user, go: at(testRequest), looks: [] },
    { name: "connections-invited", role: dexter, go: at("/connections"), looks: [] },
    { name: "error-test-app", role: dexter, go: at(testRequest), looks: [] },
    { name: "consent-document", tallest: 1310, role: user, go: at(localRequest), looks: [] },
    {
      name: "consent-resource",
      tallest: 1360,
      role: user,
      go: at(`${localRequest}&resource=${encodeURIComponent(mcp.identifier)}`),
      looks: []
    },
    { name: "review-document", role: admin, go: at(reviewPath(agent.id)), looks: [] },
    { name: "review-trust", tallest: 850, role: admin, go: at(`${reviewPath(agent.id)}/trust`), looks: [] },
    { name: "trusted-hosts", tallest: 850, role: admin, go: at("/review/hosts"), looks: [] },
    { name: "test-apps", role: admin, go: at("/review/tests"), looks: [] },
    { name: "resources", tallest: 1420, role: admin, go: at("/resources"), looks: [] },
    { name: "resource", role: admin, go: at(resourcePath(mcp.id)), looks: ["", "-phone-dark"] },
    { name: "resource-new", role: admin, go: at("/resources/new"), looks: [] },
    { name: "resource-edit", role: admin, go: at(`${resourcePath(mcp.id)}/edit`), looks: [] },
    { name: "resource-remove", tallest: 850, role: admin, go: at(`${resourcePath(mcp.id)}/remove`), looks: [] },
    { name: "app-rejected", tallest: 1140, role: dev, go: at(appPath(rejected.client.id)) },
    { name: "app-asked", tallest: 1450, role: dev, go: at(appPath(asked)), looks: [] },
    { name: "app-changed", tallest: 1040, role: dev, go: at(appPath(changed.id)) },
    { name: "app-new-refused", tallest: 1510, role: dev, go: refusedForm },
    { name: "app-new-back", role: dev, go: lostForm(dev), looks: [] },
    { name: "another-account", role: dev, go: lostForm(user), looks: [] },
    { name: "app-migration", role: dev, go: at(`/settings/apps/${legacy.id}/migration`) },
    { name: "app-migration-early", role: dev, go: at(`/settings/apps/${early.id}/migration`) },
    { name: "app-migration-words", role: dev, go: at(`/settings/apps/${words.id}/migration`) },
    { name: "app-migration-refused", role: dev, go: narrower },
    { name: "app-migration-rehearsed", role: dev, go: rehearsed, looks: [] },
    { name: "app-secret", role: dev, go: newSecret },
    { name: "app-revoke", role: dev, go: revoke },
    { name: "app-secret-leaked", role: dev, go: at(`/settings/apps/${leaked}/credentials`), looks: [] },
    { name: "app-secret-end", role: dev, go: at(`/settings/apps/${leaked}/secrets/${replacement}/end`), looks: [] },
    { name: "playground", role: user, go: at("/playground") },
    { name: "playground-start", role: user, go: start },
    { name: "playground-code", role: user, go: playground("Allow") },
    {
      name: "playground-tokens",
      role: user,
      go: playground("Allow", "Exchange the code"),
      looks: ["", "-phone-dark"]
    },
    { name: "review", role: admin, go: at("/review"), looks: ["", "-dark"] },
    { name: "review-app", role: admin, go: at(`/review/${waiting.client.id}`) },
    { name: "review-imposter", role: admin, go: at(`/review/${imposter.client.id}`), looks: [] },
    { name: "review-asked", role: admin, go: at(`/review/${asked}`), looks: [] },
    { name: "review-rejected", role: admin, go: at(`/review/${rejected.client.id}`) },
    { name: "review-search", role: admin, go: at("/review?state=suspended&search=display.example") },
    { name: "review-late", role: admin, go: late },
    { name: "review-decided", role: admin, go: decided },
    { name: "review-suspend", role: admin, go: suspending, looks: [] },
    { name: "review-change", role: admin, go: at(`/review/${changed.id}`) },
    { name: "review-unused", tallest: 1160, role: rita, go: at("/review/unused"), looks: [] },
    { name: "review-legacy", role: admin, go: at(`/review/${inReview.id}`) },
    { name: "review-migration", role: admin, go: at("/review/migration") },
    { name: "references", role: admin, go: foundReference, looks: [] },
    { name: "references-none", role: admin, go: at("/review/references?reference=nothing"), looks: [] },
    { name: "users", role: admin, go: at("/users") },
    { name: "invitations", role: admin, go: invitation, looks: [] },
    { name: "user", role: admin, go: at(`/users/${dev.id}`) },
    { name: "docs", go: at("/docs") },
    { name: "docs-scopes", go: at("/docs/scopes?q=team+schedules") },
    { name: "looks", role: admin, go: at("/looks"), looks: [] },
    { name: "error", go: at("/nowhere") },
    { name: "error-signed-in", role: admin, go: at("/nowhere") },
    { name: "error-app", go: at("/auth/oauth2/authorize?client_id=nobody&redirect_uri=https://x.example") },
    { name: "error-redirect", role: dev, go: folded, looks: [] },
    { name: "error-redirect-user", role: user, go: folded, looks: [] },
    {
      name: "error-own-app",
      role: dev,
      go: at(`/auth/oauth2/authorize?client_id=${waiting.client.id}&redirect_uri=https://display.example/callback`),
      looks: []
    },
    { name: "app-to-mend", role: dexter, go: toMend, looks: [] }
  ]
  return pages
}).pipe(Effect.orDie)

/** Has the only secret of an app found in public; the one that takes its place is overdue, and answered. */
const leakSecret = Effect.fnUntraced(function*(clientId: ClientId) {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* SecretVault
  const [first] = yield* vault.list(clientId)
  if (first === undefined) return undefined
  const place = { by: "secret-scanning", foundAt: "https://github.com/a/b/blob/c/.env", source: "content" }
  yield* (yield* SealedSecrets).endLeaked({ clientId, secretId: first.id, ...place })
  const [replacement] = yield* sql<{ id: string }>`UPDATE client_secrets SET ends_at = now() - interval '3 days'
    WHERE client_id = ${clientId} RETURNING id`
  return replacement?.id
}, Effect.orDie)
