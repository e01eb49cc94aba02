// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../../src/foundation/database/Database.ts"
import { outageOf } from "../../../../src/foundation/database/Outages.ts"
import { freePort } from "../../../support/FreePort.ts"
import * as TestPostgres from "../../../support/TestPostgres.ts"

/** A server with a certificate that no public authority has signed. */
const postgresWithTls = Effect.gen(function*() {
  const { administer, folder, port } = yield* TestPostgres.make
  const [key, certificate] = [join(folder, "server.key"), join(folder, "server.crt")]
  const request = ["req", "-x509", "-nodes", "-newkey", "rsa:2048", "-days", "2", "-subj", "/CN=localhost"]
  const names = ["-addext", "subjectAltName=DNS:localhost"]
  execFileSync("openssl", [...request, ...names, "-keyout", key, "-out", certificate], {
    stdio: "pipe",
    ...TestPostgres.user
  })
  yield* administer(
    `ALTER SYSTEM SET ssl_cert_file = '${certificate}'`,
    `ALTER SYSTEM SET ssl_key_file = '${key}'`,
    "ALTER SYSTEM SET ssl = on",
    "SELECT pg_reload_conf()"
  )
  return { certificate, port }
})

/** Tells whether the connection of a process with this address is encrypted, or why there is none. */
const isEncrypted = (url: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`
  ).pipe(
    Effect.map(([row]) => row?.ssl),
    Effect.provide(Layer.fresh(
      Database.layerForMigration.pipe(
        Layer.provide(AppConfig.layerTest({ DATABASE_URL: url, MASTER_KEY: Buffer.alloc(32, 7).toString("base64url") }))
      )
    )),
    Effect.catch((error) => Effect.succeed(outageOf(error)?.reason ?? error.message))
  )

describe("The certificate authority of DATABASE_URL", () => {
  if (TestPostgres.missing !== undefined) return it.skip(TestPostgres.missing)

  it.live(
    "is the file in sslrootcert, for one host and for several, and else those of Node",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { certificate, port } = yield* postgresWithTls
        const at = (parameters: string, hosts = `localhost:${port}`) =>
          isEncrypted(`postgres://postgres@${hosts}/postgres?${parameters}`)

        assert.strictEqual(yield* at("sslmode=disable"), false)
        for (const mode of ["require", "verify-ca", "verify-full"]) {
          assert.strictEqual(yield* at(`sslmode=${mode}&sslrootcert=${certificate}`), true, mode)
          assert.match(String(yield* at(`sslmode=${mode}`)), /^self-signed certificate/)
        }
        const two = `localhost:${yield* freePort},localhost:${port}`
        assert.strictEqual(yield* at(`sslmode=verify-full&sslrootcert=${certificate}`, two), true)
        // Its certificate names another host.
        assert.match(
          String(yield* at(`sslmode=verify-full&sslrootcert=${certificate}`, `127.0.0.1:${port}`)),
          /127\.0\.0\.1/
        )
        assert.match(
          String(yield* at("sslmode=require&sslrootcert=/none.pem")),
          /ENOENT.*'\/none\.pem'/
        )
      })),
    60_000
  )
})
