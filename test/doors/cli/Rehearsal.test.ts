// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { newAccount } from "../../core/clients/Scenario.ts"
import { jsonLines } from "../../core/legacy/import/Scenario.ts"
import { slotkey } from "../../support/Cli.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"
import { besideServer } from "./Scenario.ts"

const redirect_uri = "https://old.example/callback"

it.live(
  "slotkey import-legacy --rehearse tells which requests of the old server would be refused, and writes nothing",
  () =>
    besideServer(Effect.fnUntraced(function*({ env, run }) {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const folder = yield* temporaryFolder
      const [file, log] = [join(folder, "apps.jsonl"), join(folder, "requests.jsonl")]
      const phone = { client_id: "phone", owner, name: "Phone", redirect_uris: [redirect_uri] }
      const web = { ...phone, client_id: "web", secrets: [{ secret: "a".repeat(32), algorithm: "clear" }] }
      const apps = jsonLines(web, phone)
      const requests = jsonLines(
        { client_id: "web", redirect_uri },
        ...Array.from({ length: 3 }, () => ({ client_id: "web", redirect_uri: "https://k:s@old.example/cb?secret=1" })),
        { client_id: "phone", redirect_uri, at: 1 },
        { client_id: "evil\u001b[2J\u202e", redirect_uri }
      )
      writeFileSync(file, apps)
      writeFileSync(log, requests)
      const rehearse = ["import-legacy", file, "--rehearse", log]

      const lines = yield* run(...rehearse)
      assert.deepStrictEqual(lines.stdout.split("\n"), [
        "Nothing was written. To import with --apply: 2 apps, 1 secrets (1 clear), 0 refresh tokens. There already: 0 lines. Wrong: 0 lines.",
        "3 of 4\tweb\tredirect-uri-unregistered\t\"https://…@old.example/cb?…\"",
        "1 of 1\t\"evil\\u001b[2J\ufffd\"\tclient-unknown",
        "1 of 1\tphone\tchallenge-unlogged",
        "4 of 6 requests would be refused. 1 more will be, unless they send code_challenge, which the log does not say.",
        ""
      ])
      assert.deepStrictEqual([lines.code, lines.stderr], [
        1,
        "Some requests would be refused: docs/legacy.md says what to do about each cause.\n"
      ])

      const json = yield* run(...rehearse, "--json")
      const [totals, first, ...others] = json.stdout.trimEnd().split("\n").map((line) => JSON.parse(line))
      assert.deepStrictEqual([totals.applied, totals.apps, others.length], [false, 2, 3])
      assert.deepStrictEqual(first, {
        clientId: "web",
        cause: "redirect-uri-unregistered",
        requests: 3,
        of: 4,
        example: "https://…@old.example/cb?…"
      })
      assert.deepStrictEqual(others[2], {
        requests: 6,
        refused: 4,
        unjudged: 1,
        unreadable: 0,
        firstUnreadable: null
      })
      assert.strictEqual(JSON.parse(json.stderr).error.code, "requests_refused")

      const written = sql`SELECT (SELECT count(*)::int FROM clients) AS clients,
        (SELECT count(*)::int FROM refused_requests) AS rejections, (SELECT count(*)::int FROM audit_log) AS entries`
      const before = yield* written
      const refused = yield* run(...rehearse, "--apply")
      assert.deepStrictEqual(refused, {
        code: 2,
        stdout: "",
        stderr: "--rehearse writes nothing, so it does not go with --apply: rehearse first, then import.\n"
      })
      assert.deepStrictEqual(yield* written, before)

      const all = yield* run(
        ...rehearse.slice(0, 3),
        yield* Effect.sync(() => {
          const answered = join(folder, "answered.jsonl")
          writeFileSync(answered, jsonLines({ client_id: "web", redirect_uri }))
          return answered
        })
      )
      assert.deepStrictEqual([all.code, all.stderr], [0, ""])
      assert.include(all.stdout, "0 of 1 request would be refused.")

      const withLog = (content: string | Uint8Array) => {
        writeFileSync(log, content)
        return slotkey(rehearse, { env })
      }
      for (
        const [content, code, said] of [
          ["", 2, "The log has no request."],
          [" \n\n", 2, "The log has no request."],
          ["203.0.113.9 - - [21/Nov/2026:02:30:00 +0000] \"GET / HTTP/1.1\" 200\n", 2, "Line 1 is not a JSON object."],
          [`\n{"client_id":7}\n`, 2, "Line 2 client_id must be a string or null."],
          [Buffer.from(requests, "utf16le"), 2, "each must be a JSON object, in UTF-8."],
          [Buffer.from(`\ufeff${requests}`, "utf16le"), 2, "each must be a JSON object, in UTF-8."],
          [`${requests.slice(5)}`, 1, "Some requests would be refused"]
        ] as const
      ) {
        const { code: ended, stderr } = yield* withLog(content)
        assert.strictEqual(ended, code, stderr)
        assert.include(stderr, said)
      }
      const half = yield* withLog(requests.slice(5))
      assert.include(half.stdout, "4 of 5 requests would be refused.")
      assert.include(half.stdout, " 1 line could not be read; line 1 is not a JSON object.")
      const mistyped = yield* slotkey(["import-legacy", file, "--rehearse", join(folder, "none")], { env })
      assert.deepStrictEqual([mistyped.code, mistyped.stdout], [2, ""])
      assert.include(mistyped.stderr, "cannot be read")

      // As a shell has it: --rehearse <(zcat access.log.gz | jq …)
      const [filePipe, logPipe] = [join(folder, "file-pipe"), join(folder, "log-pipe")]
      execFileSync("mkfifo", [filePipe, logPipe])
      const fed = yield* Effect.forkChild(
        Effect.promise(() => Promise.all([writeFile(filePipe, apps), writeFile(logPipe, requests)]))
      )
      const piped = yield* run("import-legacy", filePipe, "--rehearse", logPipe)
      assert.deepStrictEqual(piped, lines)
      yield* Fiber.join(fed)

      // A file with a fault is reported as without a rehearsal, and its other apps are rehearsed.
      writeFileSync(file, jsonLines({ ...web, redirect_uris: ["https://old.example/*"] }, phone))
      const misfit = yield* withLog(jsonLines({ client_id: "web", redirect_uri }, { client_id: "phone", redirect_uri }))
      assert.deepStrictEqual([misfit.code, misfit.stderr], [2, "Some lines do not fit: mend them first.\n"])
      assert.include(
        misfit.stdout,
        "1 of 1\tphone\tchallenge-unlogged\n1 of 1\tweb\tclient-unfit\n1 of 2 requests would be refused."
      )
    })),
  120_000
)
