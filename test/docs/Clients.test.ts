import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { assertTable } from "../support/DocumentTable.ts"

const root = resolve(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")

const manifest: Readonly<
  Record<"dependencies" | "devDependencies" | "optionalDependencies", Readonly<Record<string, string>>>
> = JSON.parse(
  read("package.json")
)
const versions = { ...manifest.devDependencies, ...manifest.optionalDependencies, ...manifest.dependencies }

const recipe = (file: string) => `src/doors/portal/recipes/${file}`

/**
 * Libraries whose journeys the tests run, each with the file of its journey, the text by which that uses it, and what
 * it needs specially.
 */
const clients: ReadonlyArray<Client> = [
  { library: "arctic", journey: "test/flows/Clients.test.ts", needs: "nothing" },
  {
    library: "@auth/core",
    journey: recipe("authjs.mjs"),
    uses: "authorization: {",
    needs: "`token` and `userinfo`: of the type `oauth` it takes neither from the metadata alone"
  },
  {
    library: "better-auth",
    journey: recipe("better-auth.mjs"),
    needs: "nothing"
  },
  { library: "grant", journey: "test/flows/SignIn.test.ts", needs: "nothing" },
  {
    library: "mcp-remote",
    journey: "test/flows/agents/McpRemote.ts",
    uses: "node_modules/mcp-remote/",
    needs: "an [agent](agents.md): `--auth-timeout` of the time that a review may take"
  },
  {
    library: "@modelcontextprotocol/client",
    journey: "test/flows/agents/Sdk.ts",
    needs: "an [agent](agents.md): nothing"
  },
  { library: "@modelcontextprotocol/sdk", journey: "test/flows/Clients.test.ts", needs: "nothing" },
  { library: "oauth4webapi", journey: "test/flows/Clients.test.ts", needs: "nothing" },
  {
    library: "oidc-client-ts",
    journey: "test/flows/SinglePageApp.test.ts",
    needs: "nothing: a single-page app in Chromium, with `loadUserInfo` for the claims"
  },
  {
    library: "@openid/appauth",
    journey: "test/flows/SinglePageApp.test.ts",
    needs:
      "nothing: a single-page app in Chromium, with `FetchRequestor` and its string utilities set to read the query"
  },
  { library: "openid-client", journey: recipe("openid-client.mjs"), needs: "nothing" },
  {
    library: "passport-oauth2",
    journey: "test/flows/Clients.test.ts",
    needs: "`useAuthorizationHeaderforGET(true)` in `userProfile`: by default it sends the token in the query"
  },
  { library: "simple-oauth2", journey: "test/flows/Protocol.test.ts", needs: "nothing" },
  {
    library: "golang.org/x/oauth2",
    debian: { name: "golang-golang-x-oauth2-dev", version: "0.3.0" },
    journey: recipe("app.go"),
    uses: `"golang.org/x/oauth2"`,
    needs: "nothing"
  },
  {
    library: "github.com/coreos/go-oidc",
    debian: { name: "golang-github-coreos-go-oidc-dev", version: "2.1.0" },
    journey: "test/flows/go/token_source.go",
    uses: "oidc.NewProvider",
    needs: "nothing: discovery, userinfo and keys"
  },
  {
    library: "LWP::Authen::OAuth2",
    debian: { name: "liblwp-authen-oauth2-perl", version: "0.20" },
    journey: "test/flows/perl/lwp_journey.pl",
    uses: "use LWP::Authen::OAuth2;",
    needs: "nothing"
  },
  {
    library: "curl of PHP",
    debian: { name: "php-curl", version: "8.2" },
    journey: recipe("app.php"),
    uses: "curl_exec",
    needs: "nothing"
  },
  {
    library: "authlib",
    debian: { name: "python3-authlib", version: "1.2.0" },
    journey: recipe("app.py"),
    needs: "nothing"
  },
  {
    library: "requests_oauthlib",
    debian: { name: "python3-requests-oauthlib", version: "1.3.0" },
    journey: "test/flows/python/requests_oauthlib_journey.py",
    needs: "nothing"
  },
  {
    library: "oauth2 of Ruby",
    debian: { name: "ruby-oauth2", version: "1.4.4" },
    journey: recipe("app.rb"),
    uses: `require "oauth2"`,
    needs: "nothing"
  }
]

interface Client {
  readonly library: string
  /** Package of Debian 12 where the library is no development dependency. */
  readonly debian?: { readonly name: string; readonly version: string }
  readonly journey: string
  readonly uses?: string
  readonly needs: string
}

describe("docs/clients.md", () => {
  it("lists the client libraries whose journeys run", () => {
    assertTable(
      "docs/clients.md",
      "clients",
      ["library", "version", "journey", "needs specially"],
      clients.map((client) => [
        client.library,
        client.debian === undefined
          ? String(versions[client.library])
          : `${client.debian.version} (Debian)`,
        `[${basename(client.journey)}](../${client.journey})`,
        client.needs
      ])
    )
  })

  it.each(clients)("has a journey of $library that uses it", ({ journey, library, uses }) => {
    const text = read(journey)
    if (uses === undefined) assert.match(text, new RegExp(`(?:import |from |resolve\\()"?${library}(?:[/". ]|$)`))
    else assert.include(text, uses)
  })

  const packages = clients.flatMap(({ debian }) => debian === undefined ? [] : [debian])

  it.each(packages)("names the version of $name that is installed", ({ name, version }) => {
    const { stdout } = spawnSync("dpkg-query", ["--show", "--showformat=${Version}", name], { encoding: "utf8" })
    // Where it is not installed its journey is skipped, too.
    if (stdout) assert.include(stdout, version)
  })
})
