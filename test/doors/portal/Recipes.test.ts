import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { faultsOf } from "../../../src/core/clients/records/RedirectUri.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { platforms } from "../../../src/doors/portal/Platforms.ts"
import { filled, recipes } from "../../../src/doors/portal/Recipes.ts"
import { assertTable } from "../../support/DocumentTable.ts"

const folder = "src/doors/portal/recipes"
const app = { clientId: "client_1", redirectUri: "https://app.example/callback", scope: "PROFILE_READ BOOKING_READ" }
const https = {
  authUrl: "https://example.com",
  baseUrl: "https://api.example.com",
  issuer: "https://api.example.com/as",
  clientDocuments: "on" as const
}

describe("recipes", () => {
  it("are all listed, and docs/clients.md lists them (UPDATE_DOCS=1 writes the table)", () => {
    assert.sameMembers(readdirSync(new URL(`../../../${folder}`, import.meta.url)), recipes.map(({ file }) => file))
    assertTable(
      "docs/clients.md",
      "recipes",
      ["library", "recipe", "install"],
      recipes.map(({ file, install, title }) => [title, `[${file}](../${folder}/${file})`, `\`${install}\``])
    )
  })

  it("of platforms are in docs/clients.md, too (UPDATE_DOCS=1 writes the table)", () => {
    assertTable(
      "docs/clients.md",
      "platforms",
      ["platform", "form", "redirect address", "kinds"],
      platforms.map(({ callback, form, kinds, title }) => [title, form, `\`${callback}\``, kinds.join(", ")])
    )
    const taken = platforms.map(({ callback, kinds }) =>
      kinds.flatMap((kind) => faultsOf(kind, [callback.replace("…", "x")]))
    )
    assert.deepStrictEqual(taken.flat(), [])
  })

  it.each(recipes)("$title has the app's values, and no placeholder is left", (recipe) => {
    const text = filled(builtIn(), recipe, app, https)
    assert.notMatch(text, /\{\{|\}\}/)
    for (const value of [app.clientId, app.scope]) assert.include(text, value)
    assert.match(text, /https:\/\/api\.example\.com\/(?:as|v2\/|\.well-known\/oauth-authorization-server\/as)/)
  })

  it.each(recipes)("$title stays a literal where an address has quotes", (recipe) => {
    const redirectUri = `com.example.app:/it's/"quoted"`
    const [line] = filled(builtIn(), recipe, { ...app, redirectUri }, https).split("\n").filter((line) =>
      line.includes("quoted")
    )
    if (recipe.signIn !== undefined) assert.isUndefined(line)
    else assert.match(line ?? "", /"com\.example\.app:\/it's\/\\"quoted\\""|'com\.example\.app:\/it\\'s\/"quoted"'/)
  })

  it("relax nothing for a server with https", () => {
    for (const recipe of recipes) assert.notInclude(filled(builtIn(), recipe, app, https).toLowerCase(), "insecure")
    const local = { ...https, issuer: "http://localhost:3000" }
    assert.isTrue(recipes.some((recipe) => filled(builtIn(), recipe, app, local).includes("allowInsecureRequests")))
  })
})
