import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { copyOfProject, project } from "./Scenario.ts"

const copy = copyOfProject()

const lint = () =>
  spawnSync(join(project, "node_modules/.bin/oxlint"), ["src", "workers"], { cwd: copy, encoding: "utf8" })

/** The complaints of the lint about the copy with this file in it. */
const withFile = (path: string, text: string): { readonly status: number | null; readonly output: string } => {
  const file = join(copy, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  try {
    const { status, stdout } = lint()
    return { status, output: stdout }
  } finally {
    rmSync(file)
  }
}

describe("npm run check", () => {
  it("passes the copy as it is", () => {
    const { status, stdout } = lint()
    assert.strictEqual(status, 0, stdout)
  })

  it("fails on an import that runs up a storey, and names it", () => {
    const { output, status } = withFile(
      "src/core/grants/Planted.ts",
      `export { TokenRoutes } from "../../doors/oauth/TokenRoutes.ts"\n`
    )
    assert.strictEqual(status, 1)
    assert.include(
      output,
      "the import of src/doors/oauth/TokenRoutes.ts runs up: src/doors/oauth stands above src/core/grants"
    )
  })

  it("fails on two rooms of a storey that use each other, and names the import against the order", () => {
    // The tokens use the grants already, so this import closes a circle.
    const { output, status } = withFile(
      "src/core/grants/Planted.ts",
      `export type { VerifiedToken } from "../tokens/AccessTokens.ts"\n`
    )
    assert.strictEqual(status, 1)
    assert.include(
      output,
      "the import of src/core/tokens/AccessTokens.ts runs up: src/core/tokens stands above src/core/grants"
    )
  })

  it("fails on a dynamic import and on an import of types alike", () => {
    const { output } = withFile(
      "src/domain/Planted.ts",
      `export const load = () => import("../app/Services.ts")\nexport type Grant = import("../core/grants/Grant.ts").Grant\n`
    )
    assert.include(output, "the import of src/app/Services.ts runs up")
    assert.include(output, "the import of src/core/grants/Grant.ts runs up")
  })

  it("fails on HTTP in the core and on SQL in a door", () => {
    const core = withFile("src/core/grants/Planted.ts", `export { HttpRouter } from "effect/http"\n`)
    assert.include(core.output, "'effect/http' import is restricted")
    const door = withFile("src/doors/oauth/Planted.ts", `export { SqlClient } from "effect/sql"\n`)
    assert.include(door.output, "'effect/sql' import is restricted")
  })

  it("fails on a room that nobody has given a place", () => {
    const { output, status } = withFile("src/core/planted/Planted.ts", "export const planted = true\n")
    assert.strictEqual(status, 1)
    assert.include(output, "src/core/planted/Planted.ts is in no room of the list")
  })

  it("fails on pages that no list names", () => {
    const { output, status } = withFile("src/doors/portal/PlantedPages.ts", "export const PlantedPages = true\n")
    assert.strictEqual(status, 1)
    assert.include(output, "src/doors/portal/PlantedPages.ts is not in the list src/app/Routes.ts")
  })

  it("fails on a kind of job that no list names", () => {
    const { output, status } = withFile("src/foundation/jobs/kinds/Planted.ts", "export const Planted = true\n")
    assert.strictEqual(status, 1)
    assert.include(output, "src/foundation/jobs/kinds/Planted.ts is not in the list workers/Workers.ts")
  })

  it("fails on a date in another format, whoever reads it", () => {
    const view = withFile(
      "src/doors/portal/PlantedView.ts",
      `import { DateTime } from "effect"\nexport const day = (at: DateTime.Utc) => DateTime.formatIsoDateUtc(at)\n`
    )
    assert.strictEqual(view.status, 1)
    assert.include(view.output, "DateTime.formatIsoDateUtc: dates are written by src/domain/InstantText.ts")
    const mail = withFile(
      "workers/Planted.ts",
      `export const day = new Intl.DateTimeFormat("en").format(0)\nexport const time = new Date(0).toLocaleTimeString()\n`
    )
    assert.include(mail.output, "Intl.DateTimeFormat: dates are written by")
    assert.include(mail.output, "toLocaleTimeString: dates are written by")
  })

  it("fails on sweeps that no list names", () => {
    const { output, status } = withFile("src/core/grants/Planted.ts", "export const sweeps = []\n")
    assert.strictEqual(status, 1)
    assert.include(output, "src/core/grants/Planted.ts is not in the list workers/Sweeps.ts")
  })

  it("fails on a grant type and on a client authentication method that no list names", () => {
    const grantType = "src/doors/oauth/grantTypes/Planted.ts"
    assert.include(
      withFile(grantType, "export const planted = true\n").output,
      `${grantType} is not in the list src/doors/oauth/GrantTypes.ts`
    )
    const method = "src/doors/oauth/clientAuthentication/Planted.ts"
    assert.include(
      withFile(method, "export const planted = true\n").output,
      `${method} is not in the list src/doors/oauth/ClientAuthenticationMethods.ts`
    )
  })
})
