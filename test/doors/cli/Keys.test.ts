// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { slotkey } from "../../support/Cli.ts"
import * as EmbeddedPool from "../../support/EmbeddedPool.ts"

/** Runs commands beside a running embedded database, as beside a server. */
const besideServer = <A, E>(commands: (folder: string) => Effect.Effect<A, E>) =>
  Effect.flatMap(
    EmbeddedPool.folder,
    (folder) => Effect.provide(commands(folder), EmbeddedPool.at(folder))
  )

describe("slotkey", () => {
  it.live("rotates the keys of tokens and the master key", () =>
    besideServer(Effect.fnUntraced(function*(folder) {
      const env = { DATA_DIR: folder }
      const rotated = yield* slotkey(["keys", "rotate"], { env })
      assert.match(
        rotated.stdout,
        /^access-token\t\S+\tsigns from \S+Z\naccess-token-mac\t[\w-]{8}\tsigns from \S+Z\nrefresh-token\t[0-9a-f]{8}\tsigns from \S+Z\n$/
      )
      const again = yield* slotkey(["keys", "rotate"], { env })
      assert.deepStrictEqual(again, {
        code: 1,
        stdout: "",
        stderr: "The next keys wait already to take over.\n"
      })
      const listed = yield* slotkey(["keys", "list", "--json"], { env })
      assert.deepStrictEqual(
        JSON.parse(listed.stdout).map((
          { algorithm, purpose, retiredAt }: Record<string, unknown>
        ) => [purpose, algorithm, retiredAt === null]),
        [
          ["access-token", "ES256", true],
          ["access-token", "ES256", false],
          ["access-token-mac", "HS256", true],
          ["access-token-mac", "HS256", false],
          ["refresh-token", "HS256", true],
          ["refresh-token", "HS256", false]
        ]
      )
      assert.notInclude(listed.stdout, "encrypted")
      const file = join(folder, "master.key")
      const before = readFileSync(file, "utf8")
      const sealed = yield* slotkey(["keys", "rotate-master"], { env })
      assert.deepStrictEqual([sealed.code, sealed.stderr], [0, ""])
      assert.match(
        sealed.stdout,
        /^Sealed 6 keys under the new master key\.\n.* every process must have this one now: /
      )
      assert.notStrictEqual(readFileSync(file, "utf8"), before)
      assert.isFalse(existsSync(`${file}.previous`))
      const repeated = yield* slotkey(["keys", "rotate-master", "--json"], { env })
      assert.deepStrictEqual(repeated, { code: 0, stdout: "{\"sealed\":6}\n", stderr: "" })
    })), 120_000)

  it.live("makes, lists and revokes resource servers", () =>
    besideServer(Effect.fnUntraced(function*(folder) {
      const env = { DATA_DIR: folder }
      const { stdout } = yield* slotkey(["resource-servers", "create", "--name", "Bookings"], { env })
      const [, id = "", credential = ""] = /^(slk_resource_[0-9a-f]{24})\t(slk_rs_[A-Za-z0-9]{49})\n$/.exec(stdout) ??
        []
      const listed = yield* slotkey(["resource-servers", "list"], { env })
      assert.match(listed.stdout, new RegExp(`^${id}\t…${credential.slice(-4)}\t\\d{4}-\\d\\d-\\d\\d\tBookings\n$`))
      assert.strictEqual(
        (yield* slotkey(["resource-servers", "revoke", id, "--yes"], { env })).stdout,
        `Revoked ${id}.\n`
      )
      const again = yield* slotkey(["resource-servers", "revoke", id, "--yes"], { env })
      assert.deepStrictEqual([again.code, again.stderr], [3, `There is no resource server ${id}.\n`])
    })), 120_000)
})
