import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import type { Account } from "../../src/core/accounts/Account.ts"
import { Accounts } from "../../src/core/accounts/Accounts.ts"
import { ClientRegistry } from "../../src/core/clients/ClientRegistry.ts"
import type { RegistrationInput } from "../../src/core/clients/Registration.ts"
import { SecretVault } from "../../src/core/clients/SecretVault.ts"
import { CodeStore } from "../../src/core/grants/CodeStore.ts"
import { LiveServer, password } from "../support/LiveServer.ts"

/** One page as one account sees it. */
export interface Shot {
  readonly name: string
  /** The account that is signed in. */
  readonly role?: Account
  readonly go: (page: Page) => Promise<unknown>
  /** Suffixes of the variants that the documentation shows. */
  readonly looks?: ReadonlyArray<string>
}

const account = Effect.fnUntraced(function*(email: string, name: string, role: "user" | "admin") {
  return yield* Effect.orDie((yield* Accounts).create({ email, name, password: Redacted.make(password), role }))
})

const display: RegistrationInput = {
  kind: "confidential",
  name: "Wall Display",
  purpose: "Shows the bookings of the day at the door of a meeting room, and lets people confirm them.",
  website: "https://display.example",
  redirectUris: ["https://display.example/callback", "http://localhost:8765/callback"],
  scopes: ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE"]
}

/** Every page of a server that has something to show. */
export const shots = Effect.gen(function*() {
  const { url } = yield* LiveServer
  const registry = yield* ClientRegistry
  const vault = yield* SecretVault
  const codes = yield* CodeStore
  const dev = yield* account("dora@example.com", "Dora Developer", "user")
  const user = yield* account("uma@example.com", "Uma User", "user")
  const admin = yield* account("ada@example.com", "Ada Admin", "admin")

  const register = (input: Partial<RegistrationInput>) =>
    Effect.orDie(registry.register(dev.id, { ...display, ...input }))
  const approved = Effect.fnUntraced(function*(input: Partial<RegistrationInput>) {
    const { client, secret } = yield* register(input)
    return { client: yield* Effect.orDie(registry.approve(admin.id, client.id, client.version)), secret }
  })

  const { client, secret } = yield* approved({})
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

  const rejected = yield* register({ name: "Night Owl", purpose: "Books at night." })
  yield* Effect.orDie(registry.reject(admin.id, rejected.client.id, "Please say what the app books, and for whom.", 1))
  const waiting = yield* register({ name: "Team Planner", purpose: "Plans the shifts of a team." })
  yield* register({ name: "Pocket Calendar", kind: "public", redirectUris: ["com.example.pocket:/callback"] })
  const changed = (yield* approved({ name: "Round Robin", purpose: "Hands bookings around." })).client
  yield* Effect.orDie(
    registry.edit(dev.id, changed.id, {
      ...display,
      name: "Round Robin Pro",
      scopes: ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE", "TEAM_BOOKING_READ"],
      redirectUris: ["https://display.example/callback", "https://pro.display.example/callback"],
      version: changed.version
    })
  )

  const sql = yield* SqlClient.SqlClient
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
    "": 9,
    "call BOOKING_READ": 140,
    "refused closed POST /v2/api-keys/refresh": 3,
    "refused closed GET /v2/auth/oauth2/clients/{clientId}": 1,
    "refused unlisted": 2
  })
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
  const newSecret = async (page: Page) => {
    await page.goto(`${url}/settings/apps/${changed.id}`)
    const generate = page.getByRole("button", { name: "Generate a second secret" })
    // Each variant opens the page anew, and an app has at most two secrets.
    if (await generate.count() === 0) {
      await page.getByRole("link", { name: /^Revoke .* now$/ }).click()
      await page.getByRole("button", { name: /^Revoke/ }).click()
    }
    await generate.click()
  }
  const refusedForm = async (page: Page) => {
    await page.goto(`${url}/settings/apps/new`)
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Wall Display")
    await page.getByRole("textbox", { name: "Redirect URIs" }).fill(
      "https://display.example/callback\nhttp://display.example/callback\nhttps://display.example/#home"
    )
    await page.getByRole("button", { name: "Register the app" }).click()
    await page.getByText("Line 2").waitFor()
  }
  const revoke = async (page: Page) => {
    await page.goto(`${url}/settings/apps/${client.id}`)
    await page.getByRole("link", { name: /^Revoke .* now$/ }).click()
  }

  const revokeKey = async (page: Page) => {
    await page.goto(`${url}/account`)
    await page.getByLabel("What the new key is for").fill("Nightly export")
    await page.getByRole("button", { name: "Create an API key" }).click()
    await page.goto(`${url}/account`)
    await page.getByRole("link", { name: "Revoke Nightly export" }).first().click()
  }

  const pages: ReadonlyArray<Shot> = [
    { name: "home", go: at("/"), looks: ["", "-phone-dark"] },
    { name: "home-signed-in", role: admin, go: at("/") },
    { name: "sign-in", go: at(authorize("PROFILE_READ")) },
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
    { name: "connections", role: user, go: at("/connections") },
    {
      name: "connections-disconnect",
      role: user,
      go: async (page) => {
        await page.goto(`${url}/connections`)
        await page.getByRole("link", { name: /^Disconnect/ }).first().click()
      }
    },
    { name: "apps", role: dev, go: at("/settings/apps") },
    { name: "app-new", role: dev, go: at("/settings/apps/new") },
    { name: "app", role: dev, go: at(`/settings/apps/${client.id}`), looks: ["", "-phone-dark"] },
    { name: "app-rejected", role: dev, go: at(`/settings/apps/${rejected.client.id}`) },
    { name: "app-changed", role: dev, go: at(`/settings/apps/${changed.id}`) },
    { name: "app-new-refused", role: dev, go: refusedForm },
    { name: "app-migration", role: dev, go: at(`/settings/apps/${legacy.id}/migration`) },
    { name: "app-migration-early", role: dev, go: at(`/settings/apps/${early.id}/migration`) },
    { name: "app-migration-words", role: dev, go: at(`/settings/apps/${words.id}/migration`) },
    { name: "app-migration-refused", role: dev, go: narrower },
    { name: "app-secret", role: dev, go: newSecret },
    { name: "app-revoke", role: dev, go: revoke },
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
    { name: "review-change", role: admin, go: at(`/review/${changed.id}`) },
    { name: "review-legacy", role: admin, go: at(`/review/${inReview.id}`) },
    { name: "review-migration", role: admin, go: at("/review/migration") },
    { name: "error", go: at("/nowhere") },
    { name: "error-app", go: at("/auth/oauth2/authorize?client_id=nobody&redirect_uri=https://x.example") }
  ]
  return pages
}).pipe(Effect.orDie)
