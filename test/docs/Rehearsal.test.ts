import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Stream } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause } from "../../src/core/legacy/rehearsal/Judgement.ts"
import { readRequestLog } from "../../src/core/legacy/rehearsal/RequestLog.ts"

const [, section = ""] = readFileSync(new URL("../../docs/legacy.md", import.meta.url), "utf8").split("## Rehearsal\n")

const has = (program: string) => spawnSync(program, ["--version"]).error === undefined

// As nginx writes its format `combined`, with what strangers send.
const accessLog = [
  "203.0.113.9 - - [21/Nov/2026:02:30:00 +0000] \"GET /oauth/authorize?client_id=crm&redirect_uri=https%3A%2F%2Fcrm.example%2Fcb&scope=a+b HTTP/1.1\" 302 0 \"-\" \"Mozilla/5.0\"",
  "203.0.113.9 - - [21/Nov/2026:02:30:01 +0000] \"POST /oauth/token HTTP/1.1\" 200 312 \"-\" \"python-requests\"",
  "203.0.113.9 - - [21/Nov/2026:02:30:02 +0000] \"GET /oauth/authorize?client_id=\\x22&x=\\x5C HTTP/2.0\" 400 0 \"https://crm.example/?q=GET /oauth/authorize?\" \"-\"",
  "203.0.113.9 - - [21/Nov/2026:02:30:03 +0000] \"GET /oauth/authorize/device?client_id=no HTTP/1.1\" 404 0 \"-\" \"-\"",
  "203.0.113.9 - - [21/Nov/2026:02:30:04 +0000] \"\\x16\\x03\\x01\" 400 0 \"-\" \"-\""
].join("\n")

describe("docs/legacy.md, Rehearsal", () => {
  it("says of each cause what to do", () => {
    const listed = [...section.matchAll(/^\| (`[a-z`, -]+`) \|/gm)]
      .flatMap(([, causes = ""]) => [...causes.matchAll(/`([a-z-]+)`/g)].map(([, cause]) => cause))
    assert.deepStrictEqual(listed.sort(), [...Cause.literals].sort())
  })

  it.effect.skipIf(!has("jq"))(
    "makes a log of an access log of nginx with the line that stands there",
    () =>
      Effect.gen(function*() {
        const [command = ""] = /^jq .*$/m.exec(section) ?? []
        const folder = mkdtempSync(join(tmpdir(), "slotkey-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        writeFileSync(join(folder, "access.log"), accessLog)
        execFileSync("sh", ["-c", command], { cwd: folder })
        const log = readFileSync(join(folder, "requests.jsonl"), "utf8")
        const lines = yield* Stream.runCollect(readRequestLog(Stream.make(log)))
        assert.deepStrictEqual(lines.map(({ request }) => Result.getOrThrow(request)), [
          { query: "client_id=crm&redirect_uri=https%3A%2F%2Fcrm.example%2Fcb&scope=a+b" },
          { query: "client_id=\\x22&x=\\x5C" }
        ])
      })
  )
})
