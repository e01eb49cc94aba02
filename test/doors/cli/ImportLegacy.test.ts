// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { slotkey } from "../../support/Cli.ts"
import * as EmbeddedPool from "../../support/EmbeddedPool.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"
import { besideServer } from "./Scenario.ts"

it.live(
  "slotkey import-legacy leaves no file of misfits where there is nothing to import",
  () =>
    besideServer(Effect.fnUntraced(function*({ env, json }) {
      yield* json("migrate", "up")
      const folder = yield* temporaryFolder
      const [mistyped, misfits] = [join(folder, "aps.jsonl"), join(folder, "misfits.jsonl")]
      const refused = yield* slotkey(["import-legacy", mistyped, "--apply", "--skip", misfits], { env })
      assert.deepStrictEqual(refused, { code: 2, stdout: "", stderr: `The file ${mistyped} cannot be read.\n` })
      assert.isFalse(existsSync(misfits), "with it, the right command would be refused")
    })),
  60_000
)

it.live(
  "slotkey refuses an import file in another encoding than UTF-8, of which names would be lost",
  () =>
    Effect.gen(function*() {
      const folder = yield* EmbeddedPool.folder
      const env = { DATA_DIR: folder }
      yield* Effect.gen(function*() {
        const account = ["accounts", "create", "--email", "ann@example.test", "--name", "Ann"]
        yield* slotkey(account, { env, input: "correct horse battery staple" })
        const file = join(folder, "apps.csv")
        const write = (encoding: BufferEncoding) =>
          writeFileSync(
            file,
            Buffer.from(
              `client_id,owner,name,redirect_uris\n${
                ["ascii", "müller", "grün"].map((name) =>
                  `old-${name.length}-${name.charCodeAt(0)},ann@example.test,${name},https://old.example/callback\n`
                ).join("")
              }`,
              encoding
            )
          )
        const sql = yield* SqlClient.SqlClient
        const names = sql<{ name: string }>`SELECT name FROM clients ORDER BY name`.pipe(
          Effect.map((rows) => rows.map(({ name }) => name))
        )

        for (const words of [[], ["--apply"], ["--apply", "--skip", join(folder, "misfits.csv")]]) {
          write("latin1")
          const refused = yield* slotkey(["import-legacy", file, ...words], { env })
          assert.deepStrictEqual([refused.code, refused.stdout], [2, ""])
          assert.strictEqual(
            refused.stderr,
            `The file ${file} is not in UTF-8: convert it, as with \`iconv -f latin1 -t utf-8\`.\n`
          )
          assert.deepStrictEqual(yield* names, [])
        }
        write("utf8")
        assert.strictEqual((yield* slotkey(["import-legacy", file, "--apply"], { env })).code, 0)
        assert.deepStrictEqual(yield* names, ["ascii", "grün", "müller"])
        const cut = join(folder, "cut.csv")
        writeFileSync(cut, Buffer.from("client_id,owner,name,redirect_uris\na,b,m\u00fc").subarray(0, -1))
        assert.include((yield* slotkey(["import-legacy", cut], { env })).stderr, "is not in UTF-8")
        assert.include((yield* slotkey(["import-legacy", join(folder, "none")], { env })).stderr, "cannot be read")
      }).pipe(Effect.provide(EmbeddedPool.at(folder)))
    }),
  120_000
)

it.live(
  "slotkey names the encoding of an import file in UTF-16, marked or not",
  () =>
    besideServer(Effect.fnUntraced(function*({ env, json }) {
      yield* json("migrate", "up")
      const file = join(yield* temporaryFolder, "apps.csv")
      const text = "client_id,owner,name,redirect_uris\nold,ann@example.test,Müller,https://old.example/callback\n"
      const little = Buffer.from(text, "utf16le")
      const big = Buffer.from(little).swap16()
      const files = [
        [little, "utf-16le"],
        [big, "utf-16be"],
        [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), "utf-16"],
        [Buffer.concat([Buffer.from([0xfe, 0xff]), big]), "utf-16"],
        [Buffer.from(`{"client_id":"old"}\n`, "utf16le"), "utf-16le"],
        [Buffer.from(text, "latin1"), "latin1"]
      ] as const
      for (const [bytes, encoding] of files) {
        writeFileSync(file, bytes)
        assert.deepStrictEqual(yield* slotkey(["import-legacy", file], { env }), {
          code: 2,
          stdout: "",
          stderr: `The file ${file} is not in UTF-8: convert it, as with \`iconv -f ${encoding} -t utf-8\`.\n`
        })
      }
      // With the mark of UTF-8 that spreadsheets write, it is read.
      writeFileSync(file, `\ufeff${text}`)
      assert.include((yield* slotkey(["import-legacy", file], { env })).stdout, "ann@example.test")
    })),
  60_000
)

it.live(
  "slotkey import-legacy makes accounts and keeps patterns by flags, and its last line counts both",
  () =>
    besideServer(Effect.fnUntraced(function*({ env, json }) {
      yield* json("migrate", "up")
      const file = join(yield* temporaryFolder, "apps.jsonl")
      const owner = { issuer: "https://login.platform.example", subject: "u-1" }
      const secrets = [{ secret: "a".repeat(32), algorithm: "clear" }]
      const redirect_uris = ["https://crm.example/cb", "https://crm.example/*"]
      writeFileSync(file, JSON.stringify({ client_id: "crm", owner, name: "CRM", redirect_uris, secrets }))
      const settings = { ...env, SIGN_IN: "oidc", OIDC_ISSUER: owner.issuer, OIDC_CLIENT_ID: "slotkey" }
      const run = (...flags: ReadonlyArray<string>) => slotkey(["import-legacy", file, ...flags], { env: settings })
      const address =
        "redirect_uris.1 \"https://crm.example/*\" must not have a wildcard (*): each address is an entry of its own"
      const count = "Redirect URIs that stand for several, and match no request: 1."
      assert.deepStrictEqual(yield* run(), {
        code: 2,
        stdout: `line 1\tcrm\towner.subject "u-1" has no account yet: --create-accounts makes it; ${address}\n` +
          "Nothing was written. To import with --apply: 0 apps, 0 secrets, 0 refresh tokens. There already: 0 lines. " +
          `Wrong: 1 lines. ${count}\n`,
        stderr: "Some lines do not fit: mend them first.\n"
      })
      const flags = ["--create-accounts", "--keep-patterns"]
      const what = "1 apps, 1 secrets (1 clear), 0 refresh tokens, 1 accounts. There already: 0 lines."
      const line = `line 1\tcrm\tnew app, 1 secret, 1 account, ${address}: kept, for its owner to mend\n`
      assert.deepStrictEqual(yield* run(...flags), {
        code: 0,
        stdout: `${line}Nothing was written. To import with --apply: ${what} Wrong: 0 lines. ${count}\n`,
        stderr: ""
      })
      const imported = `${line}Imported: ${what} Skipped: 0 lines. ${count}\n`
      assert.deepStrictEqual(yield* run(...flags, "--apply"), { code: 0, stdout: imported, stderr: "" })
      const again = yield* run(...flags, "--apply")
      assert.match(again.stdout, /0 refresh tokens\. There already: 1 lines\. Skipped: 0 lines\.\n$/)
    })),
  60_000
)
