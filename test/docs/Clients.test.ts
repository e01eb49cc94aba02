import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { assertTable } from "../support/DocumentTable.ts"

const root = resolve(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")

const manifest: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(read("package.json"))

/** The libraries whose journeys the tests run, each with the file of its journey and what it needs specially. */
const clients = [
  { library: "arctic", journey: "test/flows/Clients.test.ts", needs: "nothing" },
  { library: "@modelcontextprotocol/sdk", journey: "test/flows/Clients.test.ts", needs: "nothing" },
  { library: "oauth4webapi", journey: "test/flows/Clients.test.ts", needs: "nothing" },
  {
    library: "oidc-client-ts",
    journey: "test/flows/SinglePageApp.test.ts",
    needs: "nothing: a single-page app in Chromium, with `loadUserInfo` for the claims"
  },
  { library: "openid-client", journey: "test/flows/Protocol.test.ts", needs: "nothing" },
  {
    library: "passport-oauth2",
    journey: "test/flows/Clients.test.ts",
    needs: "`useAuthorizationHeaderforGET(true)` in `userProfile`: by default it sends the token in the query"
  },
  { library: "simple-oauth2", journey: "test/flows/Protocol.test.ts", needs: "nothing" },
  { library: "authlib", journey: "test/flows/python/authlib_journey.py", needs: "nothing" },
  { library: "requests_oauthlib", journey: "test/flows/python/requests_oauthlib_journey.py", needs: "nothing" }
] as const

const isPython = (journey: string) => journey.endsWith(".py")

describe("docs/clients.md", () => {
  it("lists the client libraries whose journeys run", () => {
    assertTable(
      "docs/clients.md",
      "clients",
      ["library", "version", "journey", "needs specially"],
      clients.map(({ journey, library, needs }) => [
        library,
        isPython(journey) ? "Debian's package" : String(manifest.devDependencies[library]),
        `[${journey.slice("test/flows/".length)}](../${journey})`,
        needs
      ])
    )
  })

  it.each(clients)("has a journey of $library that uses it", ({ journey, library }) => {
    assert.match(
      read(journey),
      new RegExp(isPython(journey) ? `from ${library}[. ]` : `(?:from |resolve\\()"${library}(?:/|")`)
    )
  })
})
