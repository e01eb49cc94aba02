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
      assert.match(
        listed.stdout,
        new RegExp(`^${id}\t…${credential.slice(-4)}\t\\d{4}-\\d\\d-\\d\\d\tBookings\tall\n$`)
      )
      assert.strictEqual(
        (yield* slotkey(["resource-servers", "revoke", id, "--yes"], { env })).stdout,
        `Revoked ${id}.\n`
      )
      const again = yield* slotkey(["resource-servers", "revoke", id, "--yes"], { env })
      assert.deepStrictEqual([again.code, again.stderr], [3, `There is no resource server ${id}.\n`])
    })), 120_000)

  it.live(
    "registers, changes and removes resources, and makes credentials for one",
    () =>
      besideServer(Effect.fnUntraced(function*(folder) {
        const env = { DATA_DIR: folder }
        const mcp = "https://mcp.example.com/mcp"
        const call = (line: string, input = {}) => slotkey(line.split(" "), { env, ...input })
        const create = `resources create --identifier ${mcp} --name Bookings`
        const wrong = yield* call(`${create} --scope BOOKING_READ --base EVENT_TYPE_READ`)
        assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
        assert.include(wrong.stderr, "must not name EVENT_TYPE_READ: it is not among the scopes of the resource")
        const made = yield* call(`${create} --scope BOOKING_READ --scope BOOKING_WRITE --base BOOKING_READ`)
        assert.strictEqual(
          made.stdout,
          `Registered ${mcp}. Its metadata: https://mcp.example.com/.well-known/oauth-protected-resource/mcp\n`
        )
        const twice = yield* call(`${create} --scope BOOKING_READ --base BOOKING_READ`)
        assert.strictEqual(twice.code, 1)
        assert.match(twice.stderr, /^There is a resource with this identifier\.\n/)
        yield* call(`resources edit ${mcp} --name Agents --scope BOOKING_READ`)
        const listed = yield* call("resources list")
        assert.strictEqual(listed.stdout, `${mcp}\t1\tBOOKING_READ\tAgents\n`)

        const server = yield* call(`resource-servers create --name MCP --resource ${mcp} --json`)
        assert.strictEqual(JSON.parse(server.stdout).resource, mcp)
        const none = yield* call("resource-servers create --name MCP --resource https://other.example.com")
        assert.deepStrictEqual([none.code, none.stderr], [3, "There is no such resource.\n"])
        const unsure = yield* call(`resources remove ${mcp}`)
        assert.include(unsure.stderr, `Remove ${mcp} with 0 grants of 0 apps by 0 users? Nothing was changed`)
        assert.strictEqual(
          (yield* call(`resources remove ${mcp} --yes`)).stdout,
          `Removed ${mcp}; 0 grants have ended.\n`
        )
        assert.strictEqual((yield* call(`resources remove ${mcp} --yes`)).code, 3)
        assert.strictEqual((yield* call("resource-servers list")).stdout, "")
      })),
    120_000
  )
})
