import { assert, layer } from "@effect/vitest"
import { hash as argon2 } from "@node-rs/argon2"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hash, pbkdf2Sync, randomBytes, scryptSync } from "node:crypto"
import { assertRefused, basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, apply, findings, jsonLines, token, unique } from "./Scenario.ts"

const secret = "s3cr+t/%2B==old-server"

const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "")

const salt = randomBytes(16)
const scrypt = `$scrypt$ln=4,r=8,p=1$${unpadded(salt)}$${unpadded(scryptSync(secret, salt, 32, { N: 16, r: 8, p: 1 }))}`

const pbkdf2 = (salt: Buffer | string, algorithm: string) =>
  pbkdf2Sync(secret, salt, 10, 32, algorithm).toString("base64")
const bare = (base64: string) => base64.replace(/=+$/, "")

const bcrypt = Promise.resolve("$2b$04$kBEylwNleVmZ6s3ZmILXgO0tFoB1fOzAD.FEgUWaSsi4zZwtePu5C")

const digests: Readonly<Record<string, () => Promise<string>>> = {
  bcrypt: () => bcrypt,
  scrypt: () => Promise.resolve(scrypt),
  argon2: () => argon2(secret, { memoryCost: 64, timeCost: 1, parallelism: 1 }),
  "pbkdf2 of Ory Hydra": () =>
    Promise.resolve(`$pbkdf2-sha256$i=10,l=32$${unpadded(salt)}$${bare(pbkdf2(salt, "sha256"))}`),
  "pbkdf2 of Authelia": () =>
    Promise.resolve(`$pbkdf2-sha512$10$${unpadded(salt)}$${bare(pbkdf2(salt, "sha512"))}`.replaceAll("+", ".")),
  "pbkdf2 of Django": () => Promise.resolve(`pbkdf2_sha256$10$s4ltAndPepper$${pbkdf2("s4ltAndPepper", "sha256")}`),
  "sha512-hex": () => Promise.resolve(hash("sha512", secret, "hex")),
  "sha512-base64": () => Promise.resolve(hash("sha512", secret, "base64"))
}

layer(server(), { timeout: 60_000 })("A secret under a slow digest of another server", (it) => {
  for (const [name, make] of Object.entries(digests)) {
    const [algorithm = ""] = name.split(" ", 1)
    it.effect(`is verified under ${name} at its first use, and kept under our digest from then on`, () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { token: post } = yield* serverClient
        const owner = yield* newAccount("owner")
        const digest = yield* Effect.promise(make)
        const refresh = `v1.${unique()}-of-old-server`
        const old = app(owner, {
          secrets: [{ secret: digest, algorithm }],
          refresh_tokens: [token(refresh, owner)]
        })
        yield* apply(jsonLines(old))
        const ask = (text: string) =>
          post({ grant_type: "refresh_token", refresh_token: refresh }, basic(old.client_id, text))
        const stored = sql`SELECT foreign_digest, last_four, guessable FROM client_secrets
          WHERE client_id = ${old.client_id}`

        assertRefused(yield* ask("another secret of the client"), 401, "invalid_client")
        assertRefused(yield* ask(digest), 401, "invalid_client")
        assert.deepStrictEqual(yield* stored, [{ foreignDigest: digest, lastFour: "", guessable: true }])
        assert.strictEqual((yield* ask(secret)).status, 200)
        assert.deepStrictEqual(yield* stored, [{ foreignDigest: null, lastFour: "rver", guessable: false }])
        assert.strictEqual((yield* ask(secret)).status, 200)
        assertRefused(yield* ask("another secret of the client"), 401, "invalid_client")
      }))
  }

  it.effect("lets the first request through that one statement would answer", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { token: post } = yield* serverClient
      const owner = yield* newAccount("owner")
      const digest = yield* Effect.promise(() => bcrypt)
      const refresh = `v1.${unique()}-of-old-server`
      const old = app(owner, { refresh_tokens: [token(refresh, owner)] })
      yield* apply(jsonLines(old))
      const ask = (refreshToken: unknown) =>
        post({ grant_type: "refresh_token", refresh_token: String(refreshToken) }, basic(old.client_id, secret))
      const first = yield* ask(refresh)
      yield* sql`UPDATE client_secrets SET foreign_digest = ${digest}, digest = ${randomBytes(32)}
        WHERE client_id = ${old.client_id}`
      assert.strictEqual((yield* ask(first.json["refresh_token"])).status, 200)
    }))

  it.effect("is guarded by the throttle", () =>
    Effect.gen(function*() {
      const { token: post } = yield* serverClient
      const owner = yield* newAccount("owner")
      const old = app(owner, { secrets: [{ secret: scrypt, algorithm: "scrypt" }] })
      yield* apply(jsonLines(old))
      const ask = (text: string) =>
        post({ grant_type: "refresh_token", refresh_token: "x" }, basic(old.client_id, text))
      for (let n = 0; n < 20; n++) assert.strictEqual((yield* ask(`guess ${n}`)).status, 401)
      assert.strictEqual((yield* ask(secret)).status, 429)
    }))

  it.effect("is refused by the import when each check would cost too much, or the text has another form", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const hash = "A".repeat(43)
      const wrong = [
        ["bcrypt", `$2b$15$${"e".repeat(53)}`],
        ["bcrypt", `$2b$31$${"e".repeat(53)}`],
        ["bcrypt", `$2b$03$${"e".repeat(53)}`],
        ["bcrypt", "$2b$10$short"],
        ["scrypt", `$scrypt$ln=18,r=8,p=1$AAAAAAAAAAAAAAAA$${hash}`],
        ["scrypt", `$scrypt$ln=0,r=8,p=1$AAAAAAAAAAAAAAAA$${hash}`],
        ["argon2", `$argon2id$v=19$m=262144,t=2,p=1$AAAAAAAAAAAAAAAA$${hash}`],
        ["argon2", `$argon2id$v=19$m=1024,t=100,p=1$AAAAAAAAAAAAAAAA$${hash}`],
        ["argon2", "$argon2id$v=19$m=1024"],
        ["pbkdf2", `$pbkdf2-sha256$i=2000001,l=32$AAAAAAAAAAAAAAAA$${hash}`],
        ["scrypt", `$scrypt$ln=62,r=8,p=1$AAAAAAAAAAAAAAAA$${hash}`],
        ["scrypt", `$scrypt$ln=10,r=8,p=99$AAAAAAAAAAAAAAAA$${hash}`],
        ["argon2", `$argon2id$v=19$m=9999999999,t=1,p=1$AAAAAAAAAAAAAAAA$${hash}`],
        ["argon2", `$argon2id$v=19$m=1024,t=1,p=255$AAAAAAAAAAAAAAAA$${hash}`],
        ["pbkdf2", `$pbkdf2-sha256$i=99999999999,l=32$AAAAAAAAAAAAAAAA$${hash}`],
        ["pbkdf2", `$pbkdf2-sha256$i=1000,l=33$AAAAAAAAAAAAAAAA$${hash}`],
        ["pbkdf2", `$pbkdf2-sha256$i=0,l=32$AAAAAAAAAAAAAAAA$${hash}`],
        ["pbkdf2", `pbkdf2_sha256$2000001$AAAAAAAAAAAA$${hash}`],
        ["pbkdf2", `$pbkdf2-md5$1000$AAAAAAAAAAAAAAAA$${hash}`]
      ]
      const text = jsonLines(
        ...wrong.map(([algorithm, text]) => app(owner, { secrets: [{ secret: text, algorithm }] }))
      )
      for (const finding of yield* findings(text)) assert.match(finding, /^\d+ wrong: secrets.0 must be \$/)
      const sha512 = app(owner, { secrets: [{ secret: "A".repeat(127), algorithm: "sha512-hex" }] })
      assert.match((yield* findings(jsonLines(sha512)))[0] ?? "", /secrets.0 must be 128 hexadecimal digits$/)
      const refresh = { token: `$2b$10$${"a".repeat(53)}`, algorithm: "bcrypt", user: owner }
      assert.match(
        (yield* findings(jsonLines(app(owner, { refresh_tokens: [refresh] }))))[0] ?? "",
        /refresh_tokens.0.token.algorithm "bcrypt" must be clear, sha256-hex or sha256-base64$/
      )
    }))

  it.effect("is refused as a secret in the clear, by the name of its algorithm", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const hash = "A".repeat(43)
      const labelled = [
        [`$2b$10$${"e".repeat(53)}`, "bcrypt"],
        [`$argon2id$v=19$m=1024,t=1,p=1$AAAAAAAAAAAAAAAA$${hash}`, "argon2"],
        [`$scrypt$ln=14,r=8,p=1$AAAAAAAAAAAAAAAA$${hash}`, "scrypt"],
        [`$pbkdf2-sha256$i=25000,l=32$AAAAAAAAAAAAAAAA$${hash}`, "pbkdf2"],
        [`pbkdf2_sha256$1000000$AAAAAAAAAAAA$${hash}=`, "pbkdf2"],
        [`pbkdf2:sha256:600000$AAAAAAAA$${"a".repeat(64)}`, "pbkdf2"],
        ["$6$rounds=5000$salt$hash", "sha512-crypt"],
        ["{SSHA}AAAAAAAA", "a hash with its scheme in braces"]
      ]
      for (const [secret, algorithm] of labelled) {
        const [finding] = yield* findings(jsonLines(app(owner, { secrets: [{ secret, algorithm: "clear" }] })))
        assert.strictEqual(
          finding,
          `1 wrong: secrets.0 is a digest (${algorithm}), not a secret in the clear: name its algorithm`
        )
      }
      // What `openssl rand -hex 32` makes is a secret.
      const hex = app(owner, { secrets: [{ secret: "0123456789abcdef".repeat(4), algorithm: "clear" }] })
      assert.deepStrictEqual(yield* findings(jsonLines(hex)), ["1 new: new app, 1 secret"])
    }))
})
