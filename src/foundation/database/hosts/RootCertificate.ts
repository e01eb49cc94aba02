import { type Cause, Effect, Redacted } from "effect"
import { SqlError } from "effect/sql"
import { readFile } from "node:fs/promises"
import type { ConnectionOptions } from "node:tls"

/**
 * Certificate authorities of an address, in the file of its parameter `sslrootcert` (libpq's documentation), for the
 * driver of statements, which reads the other parameters itself. None for an address that leaves them to Node, or does
 * not insist on TLS.
 */
export const rootCertificate = Effect.fnUntraced(
  function*(url: Redacted.Redacted): Effect.fn.Return<ConnectionOptions | undefined, SqlError.SqlError> {
    const params = new URL(Redacted.value(url)).searchParams
    const file = params.get("sslrootcert")
    if (file === null || file === "system" || !insistent.has(params.get("sslmode") ?? "")) return undefined
    return { ca: yield* Effect.mapError(Effect.tryPromise(() => readFile(file, "utf8")), unreadable) }
  }
)

const insistent = new Set(["require", "verify-ca", "verify-full"])

const unreadable = ({ cause }: Cause.UnknownError) =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, operation: "connect" }) })
