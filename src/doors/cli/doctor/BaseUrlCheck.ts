import { Option, Schema } from "effect"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { isForOwnMachine } from "../../../foundation/config/OwnMachine.ts"
import { degraded, failed, ok } from "../../../foundation/operator/Readiness.ts"
import { metadataPath } from "../../oauth/ServerMetadata.ts"
import { httpCheck } from "./HttpCheck.ts"

/** Asks for the metadata of this server (RFC 8414), as a client does that discovers it. */
export const baseUrlCheck = ({ baseUrl, database, issuer }: Pick<Settings, "baseUrl" | "database" | "issuer">) =>
  httpCheck("base-url", "failed", baseUrl, async (signal) => {
    const response = await fetch(`${baseUrl}${metadataPath}`, { redirect: "manual", signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      return failed(`${baseUrl} answers ${response.status} in place of the server's metadata.`)
    }
    const found = Option.getOrUndefined(decodeMetadata(await response.text()))
    if (found === undefined) return failed(`At ${baseUrl} something else answers.`)
    if (found.issuer !== issuer) {
      return failed(`The server at ${baseUrl} has another issuer than these settings: ${found.issuer}`)
    }
    return isForOwnMachine({ baseUrl, database })
      ? degraded(
        `A server answers at ${baseUrl}, which no other machine reaches.`,
        "Set BASE_URL to the https address at which apps and browsers reach the servers."
      )
      : ok(`A server answers at ${baseUrl}.`)
  })

const decodeMetadata = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ issuer: Schema.String })))
