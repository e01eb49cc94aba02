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
