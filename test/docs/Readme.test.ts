import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"
import * as Script from "../support/Script.ts"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

describe("README", () => {
  it("is read in three minutes: it has 150 lines at the most", () => {
    assert.isAtMost(readme.trimEnd().split("\n").length, 150)
  })
})

/** The commands of the flow, each below its comment. */
const [prepare = "", register = "", approve = "", consent = "", exchange = "", call = "", refresh = ""] =
  /<!-- flow -->\n```sh\n# ([\s\S]*?)```\n<!-- \/flow -->/.exec(readme)?.[1]?.split(/^# /m).map((step) =>
    step.slice(step.indexOf("\n"))
  ) ?? []

layer(Live.layer(), { excludeTestServices: true })("README", (it) => {
  it.effect.skipIf(!Script.isAvailable("curl", "--version"))(
    "has a flow that works as it stands, from the registration to a refresh",
    () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const admin = yield* Live.newAccount("admin")
        const values: Record<string, string> = { KEY: yield* Live.newApiKey(admin) }
        const run = Effect.fnUntraced(function*(commands: string) {
          const here = `${prepare}${commands}`.replace(/^KEY=.*\n/m, "").replaceAll("localhost:3000", new URL(url).host)
          return yield* (yield* Script.start("sh", ["-c", here], values)).rest
        })

        const app = JSON.parse(yield* run(register)).data
        Object.assign(values, { ID: app.id, SECRET: app.secret })
        assert.strictEqual(JSON.parse(yield* run(approve)).data.status, "approved")
        const callback = yield* decide(admin, `http://${(yield* run(consent)).trim()}`, "allow")
        values["CODE"] = callback.searchParams.get("code") ?? ""
        const tokens = JSON.parse(yield* run(exchange))
        Object.assign(values, { ACCESS_TOKEN: tokens.access_token, REFRESH_TOKEN: tokens.refresh_token })
        assert.strictEqual(JSON.parse(yield* run(call)).data.id, admin.id)
        assert.strictEqual(JSON.parse(yield* run(refresh)).scope, "PROFILE_READ")
      })
  )
})
