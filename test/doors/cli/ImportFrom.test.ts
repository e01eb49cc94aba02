// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exports, owner, user } from "../../flows/exports/Exports.ts"
import { slotkey } from "../../support/Cli.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"
import { besideServer } from "./Scenario.ts"

it.live(
  "slotkey import-legacy --from ends its dry run with a table by app, and writes whom to ask",
  () =>
    besideServer(Effect.fnUntraced(function*({ env, json, run }) {
      yield* json("migrate", "up")
      for (const email of [owner, user]) {
        const words = ["accounts", "create", "--email", email, "--name", "Olga"]
        assert.strictEqual((yield* slotkey(words, { env, input: "correct horse battery staple" })).code, 0)
      }
      const folder = yield* temporaryFolder
      const [file, ask] = [join(folder, "realm.json"), join(folder, "ask.csv")]
      writeFileSync(
        file,
        exports.keycloak.text.replace("Keycloak Wall", "=Keycloak Wall").replace("Reports", "Rep\\torts")
      )
      const words = ["import-legacy", file, "--from", "keycloak", "--owner", owner]

      const dry = yield* run(...words, "--owners-to-ask", ask)
      assert.deepStrictEqual([dry.code, dry.stderr], [2, "Some lines do not fit: mend them first.\n"])
      const lacks = "its refresh tokens, which the server does not store"
      const [account, crm, wall, mobile, api, ...rest] = dry.stdout.trimEnd().split("\n").map((line) =>
        line.split("\t")
      )
      assert.deepStrictEqual(account, [
        "account",
        "${client_account}",
        "kept: nothing",
        "to mend: nothing",
        "lost: it is a part of Keycloak"
      ])
      assert.deepStrictEqual(crm, [
        "crm-web",
        "Keycloak CRM",
        "kept: the app, 1 secret",
        "to mend: nothing",
        `lost: the client credentials grant; ${lacks}`
      ])
      assert.deepStrictEqual(wall?.slice(0, 3), ["wall-display", "=Keycloak Wall", "kept: nothing"])
      assert.match(wall?.[3] ?? "", /^to mend: redirect_uris\.0 /)
      assert.deepStrictEqual(mobile?.slice(2), ["kept: the app", "to mend: nothing", `lost: ${lacks}`])
      assert.deepStrictEqual([api?.[1], api?.[4]], ["Rep orts", "lost: it is an API, and no app"])
      assert.strictEqual(rest.length, 1)
      assert.match(rest[0]?.[0] ?? "", /^Nothing was written\. .* Wrong: 1 lines\..* left out: 2 lines\./)
      const [header, ...asked] = readFileSync(ask, "utf8").trimEnd().split("\n")
      assert.strictEqual(header, "owner,client_id,app,to_mend")
      assert.strictEqual(asked.length, 1)
      assert.match(asked[0] ?? "", new RegExp(`^${owner},wall-display,'=Keycloak Wall,"?redirect_uris\\.0 `))
      assert.strictEqual(statSync(ask).mode & 0o777, 0o600)
      assert.include((yield* run(...words, "--owners-to-ask", ask)).stderr, `The file ${ask} exists`)

      // What does not fit is imported once it is mended, from the same kind of file.
      const misfits = join(folder, "misfits.jsonl")
      assert.strictEqual((yield* run(...words, "--apply", "--skip", misfits)).code, 0)
      writeFileSync(misfits, readFileSync(misfits, "utf8").replace("/*", "/callback").replace("=Keycloak", "Keycloak"))
      const mended = yield* run("import-legacy", misfits, ...words.slice(2), "--apply")
      assert.strictEqual(mended.code, 0, mended.stdout)
      assert.include(mended.stdout, "Imported: 1 apps, 1 secrets (1 clear)")
    })),
  120_000
)

it.live(
  "slotkey import-legacy says what belongs together, and what a file is not",
  () =>
    besideServer(Effect.fnUntraced(function*({ json, run }) {
      yield* json("migrate", "up")
      const file = join(yield* temporaryFolder, "apps.json")
      writeFileSync(file, exports.auth0.text)
      const alone = yield* run("import-legacy", file, "--owner", owner)
      assert.deepStrictEqual([alone.code, alone.stdout], [2, ""])
      assert.include(alone.stderr, "say with --from which")
      const other = yield* run("import-legacy", file, "--from", "keycloak")
      assert.strictEqual(other.code, 2)
      const [line = "", ...more] = other.stdout.trimEnd().split("\n")
      assert.match(
        line,
        /^line \d+\t\tthe file is no export of Keycloak, .* It looks like one of Auth0 \(--from auth0\)\.$/
      )
      assert.strictEqual(more.length, 1)
    })),
  60_000
)
