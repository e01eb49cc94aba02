import { Effect, Option, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import type { ClientMetadata } from "../../../core/clients/dynamic/ClientMetadata.ts"
import type { Update } from "../../../core/clients/dynamic/DynamicRegistration.ts"
import * as Bearer from "../../../domain/Bearer.ts"
import { InvalidBearer, InvalidClientMetadata, type MetadataError } from "../../../domain/OAuthError.ts"
import * as Body from "../../../foundation/http/Body.ts"
import * as MediaType from "../../../foundation/http/MediaType.ts"
import { readFailure, type Unreadable, unreadable, unsupportedCoding } from "../OAuthRequest.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Reads metadata of a JSON value. */
type MetadataReader = (body: unknown) => Effect.Effect<ClientMetadata, MetadataError>

/** Bearer token of a request, if it has one; another header is not one that is taken here. */
export const bearerOf = ({ headers }: Request): Effect.Effect<Option.Option<Redacted.Redacted>, InvalidBearer> => {
  const { authorization } = headers
  if (authorization === undefined || authorization === "") return Effect.succeedNone
  const found = Bearer.parse(authorization)
  return found._tag === "Token" ? Effect.succeedSome(Redacted.make(found.token)) : noBearer
}

/** Registration access token of a request, without which nobody learns of an app. */
export const requireBearer = (request: Request): Effect.Effect<Redacted.Redacted, InvalidBearer> =>
  Effect.flatMap(bearerOf(request), Option.match({ onNone: () => noBearer, onSome: Effect.succeed }))

/** JSON of a body (RFC 7591 §3.1). */
export const readJson = (request: Request): Effect.Effect<unknown, Unreadable | InvalidClientMetadata> => {
  if (MediaType.parse(request.headers["content-type"])?.essence !== "application/json") return unsupportedType
  if (Body.isEncoded(request)) return unsupportedCoding
  return Effect.flatMap(
    Effect.mapError(Body.bytes(request), readFailure),
    (body): Effect.Effect<unknown, Unreadable | InvalidClientMetadata> =>
      isUtf8(body)
        ? Effect.try({ try: (): unknown => JSON.parse(body.toString("utf8")), catch: () => noJson })
        : unreadable(400, "the body is not valid UTF-8")
  )
}

/**
 * Reads the body of an update (RFC 7592 §2.2): all metadata once more, with the id of the client and perhaps its
 * secret, and without what the server alone says.
 */
export const readUpdate = (
  body: unknown,
  clientId: string,
  readMetadata: MetadataReader
): Effect.Effect<Update, MetadataError> =>
  Effect.gen(function*() {
    const metadata = yield* readMetadata(body)
    const said = new Map<string, unknown>(Object.entries(Object(body)))
    if (said.get("client_id") !== clientId) return yield* otherClient
    const ours = ofServer.find((name) => said.has(name))
    if (ours !== undefined) return yield* new InvalidClientMetadata({ error_description: `leave ${ours} out` })
    const secret = said.get("client_secret")
    if (secret !== undefined && typeof secret !== "string") return yield* secretNoText
    return { metadata, secret }
  })

/** Members of an answer that a client must not send back (RFC 7592 §2.2). */
const ofServer = [
  "registration_access_token",
  "registration_client_uri",
  "client_secret_expires_at",
  "client_id_issued_at"
]

const noBearer = Effect.fail(
  new InvalidBearer({ error_description: "send the token in a header of the Bearer scheme" })
)
const noJson = new InvalidClientMetadata({ error_description: "the body is not valid JSON" })
const otherClient = new InvalidClientMetadata({ error_description: "client_id must be that of this address" })
const secretNoText = new InvalidClientMetadata({ error_description: "client_secret must be a string" })
const unsupportedType = unreadable(415, "send the metadata as application/json")
