import { ByteSize, Effect, Option, Redacted, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { ReportedUsage } from "../../core/usage/ReportedUsage.ts"
import { UsageReport } from "../../core/usage/UsageReport.ts"
import * as Bearer from "../../domain/Bearer.ts"
import { InvalidRequest, TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import * as Body from "../../foundation/http/Body.ts"
import * as MediaType from "../../foundation/http/MediaType.ts"
import { invalidBearer } from "./IntrospectionEndpoint.ts"
import { readFailure, unreadable, unsupportedCoding } from "./OAuthRequest.ts"
import { errorResponse } from "./OAuthResponse.ts"
import * as ReportBudget from "./ReportBudget.ts"

/**
 * Takes what a resource server reports of the calls that it has checked (docs/usage.md). The credential is checked
 * before anything of the body is read, and how many reports came with it. A report counts once, however often it is
 * sent; all of it or nothing.
 */
export const usageEndpoint = Effect.gen(function*() {
  const resourceServers = yield* ResourceServers
  const usage = yield* ReportedUsage
  const budget = yield* ReportBudget.make

  return Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const bearer = Bearer.parse(request.headers["authorization"])
    const server = bearer._tag === "Token"
      ? yield* resourceServers.authenticate(Redacted.make(bearer.token))
      : Option.none()
    if (Option.isNone(server)) return yield* invalidBearer
    if (!budget.spend(server.value.id)) return errorResponse(tooMany, 429, { "retry-after": "60" })
    if (MediaType.parse(request.headers["content-type"] ?? "")?.essence !== "application/json") return yield* notJson
    if (Body.isEncoded(request)) return yield* unsupportedCoding
    const body = yield* Body.bytes(request).pipe(
      Effect.mapError(readFailure),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, mostBytes)
    )
    const report = yield* Effect.mapError(decode(body.toString("utf8")), () => malformed)
    yield* Effect.orDie(usage.take(server.value, report))
    return HttpServerResponse.empty({ status: 204, headers: { "cache-control": "no-store" } })
  })
})

/** More than a report of 5,000 rows has. */
const mostBytes = ByteSize.fromInputUnsafe("2 MiB")

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(UsageReport))

const tooMany = new TemporarilyUnavailable({
  error_description: "too many reports were sent, send this one again later"
})

const notJson = unreadable(415, "send the report as application/json")

const malformed = new InvalidRequest({ error_description: "the body is not a report of calls" })
