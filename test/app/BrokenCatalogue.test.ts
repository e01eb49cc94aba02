import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { crmCatalogue } from "../support/CrmCatalogue.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

const { slotkey, start, "start:workers": workers } = packageJson.scripts

const programs = [
  { name: "the server", command: start },
  { name: "a server of several processes", command: start, env: { SERVER_PROCESSES: "2", DATABASE_URL: nowhere() } },
  { name: "the workers", command: workers, env: { DATABASE_URL: nowhere() } },
  { name: "a command", command: `${slotkey} keys list` },
  { name: "a test server", command: `${slotkey} test-server`, isFlag: true }
]

/** A database that nobody asks: the catalogue is read before. */
function nowhere() {
  return "postgres://nobody@127.0.0.1:1/none"
}

describe("A catalogue that is not usable", () => {
  it.live.each(programs)(
    "stops the start of $name with all that is wrong",
    ({ command, env = {}, isFlag = false }) =>
      Effect.gen(function*() {
        const folder = yield* temporaryFolder
        const file = join(folder, "crm.json")
        const broken = {
          ...crmCatalogue,
          profile: { scope: "acount.read" },
          samples: { demo: ["deal.read"], tests: ["x"] }
        }
        writeFileSync(file, JSON.stringify(broken, null, 2))
        const { output, status } = spawnSync(
          process.execPath,
          [...command.split(" ").slice(1), ...(isFlag ? ["--catalogue", file] : [])],
          {
            encoding: "utf8",
            timeout: 60_000,
            env: {
              PATH: process.env["PATH"],
              DATA_DIR: join(folder, "data"),
              MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
              ...env,
              ...(isFlag ? {} : { CATALOGUE: file })
            }
          }
        )
        const said = output.join("")
        assert.include([1, 2], status, said)
        assert.include(said, `${file} is not usable:`)
        assert.match(said, /line \d+, profile\.scope: "acount\.read" is no scope here\. Call it "account\.read"/)
        assert.match(said, /line \d+, samples\.demo\[0\]: "deal\.read" is no scope here\. Call it "deals\.read"/)
        assert.notInclude(said, "    at ")
        assert.deepStrictEqual(readdirSync(folder), ["crm.json"])
      })
  )
})
