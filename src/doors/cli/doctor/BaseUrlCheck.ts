import { Effect, Schema } from "effect"
import { messageOf } from "../../../domain/Cause.ts"
import type { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { isForOwnMachine } from "../../../foundation/config/OwnMachine.ts"
import { type Check, degraded, failed, ok } from "../../../foundation/operator/Readiness.ts"
import { metadataPath } from "../../oauth/ServerMetadata.ts"

/** Asks for the metadata of this server (RFC 8414), as a client does that discovers it. */
export const baseUrlCheck = (
  { baseUrl, database, issuer }: Pick<AppConfig["Service"], "baseUrl" | "database" | "issuer">
): Check<"base-url"> => ({
  name: "base-url",
  otherwise: "failed",
  probe: Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${baseUrl}${metadataPath}`, { redirect: "manual", signal })
      if (response.status !== 200) {
        await response.body?.cancel()
        return failed(`${baseUrl} answers ${response.status} in place of the server's metadata.`)
      }
      const found = readMetadata(await response.text())
      if (found?.issuer === issuer) {
        return isForOwnMachine({ baseUrl, database })
          ? degraded(
            `A server answers at ${baseUrl}, which no other machine reaches.`,
            "Set BASE_URL to the https address at which apps and browsers reach the servers."
          )
          : ok(`A server answers at ${baseUrl}.`)
      }
      return failed(
        found === undefined
          ? `At ${baseUrl} something else answers.`
          : `The server at ${baseUrl} has another issuer than these settings: ${found.issuer}`
      )
    },
    catch: (cause) => failed(`${baseUrl} cannot be reached from here: ${reasonOf(cause)}`)
  }).pipe(Effect.catch(Effect.succeed))
})

const Metadata = Schema.fromJsonString(Schema.Struct({ issuer: Schema.String }))

const readMetadata = (body: string): typeof Metadata.Type | undefined => {
  const result = Schema.decodeUnknownOption(Metadata)(body)
  return result._tag === "Some" ? result.value : undefined
}

/** Reason of a request that failed; the message of `fetch` itself is only that it did. */
export const reasonOf = (cause: unknown): string =>
  messageOf(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause)
