import { ByteSize, Clock, Duration, Effect, Layer, Option, Schema } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as SecurityEvents from "../../core/audit/SecurityEvents.ts"
import { LeakedCredentials } from "../../core/leaks/LeakedCredentials.ts"
import { feedbackOf, FoundCredential } from "../../core/leaks/LeakReport.ts"
import { reporterKeys } from "../../core/leaks/ReporterKeys.ts"
import { isSigned } from "../../core/leaks/ReportSignature.ts"
import { FailureWindows } from "../../domain/FailureWindows.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Body from "../../foundation/http/Body.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { busy } from "../../foundation/http/Unavailable.ts"

// This room takes reports of credentials that were found in public, in the format of GitHub's secret scanning partner
// programme.

/**
 * Takes reports that are signed by a key of `SECRET_SCANNING_KEYS_URL`; without that setting there is no such address,
 * because each reporter can end any credential that they know. The signature is checked before anything of the
 * body is read, and one answer is for all that have none: a stranger learns nothing. Wrong signatures are counted in
 * the memory of each node, so that they cost no statement.
 */
export const LeakRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const config = yield* AppConfig
  const leaked = yield* LeakedCredentials
  if (Option.isNone(config.secretScanningKeysUrl)) return
  const findKey = yield* reporterKeys(config.secretScanningKeysUrl.value)
  const failures = new FailureWindows({ limit: 20, window: Duration.minutes(15), capacity: 10_000 })

  const readSigned = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const { "github-public-key-identifier": identifier, "github-public-key-signature": signature } = request.headers
    const address = clientAddress(config, { headers: request.headers, peerAddress: request.remoteAddress })
    const now = yield* Clock.currentTimeMillis
    const retryAfter = failures.retryAfter(subject, address, now)
    if (retryAfter !== undefined) return yield* tooMany(retryAfter)
    if (Body.isEncoded(request)) return yield* Effect.fail(answer(415, Body.takesNoCoding))
    const body = yield* Effect.mapError(Body.bytes(request), () => answer(413))
    // All keys have shorter identifiers: a longer text is not looked for.
    const key = identifier === undefined || signature === undefined || identifier.length > 200
      ? Option.none()
      : yield* Effect.mapError(findKey(identifier), () => answer(busy.status, busy.headers))
    if (Option.isSome(key) && signature !== undefined && isSigned(body, signature, key.value)) return body
    const lockedOut = failures.add(subject, address, now)
    if (lockedOut !== undefined) yield* SecurityEvents.report("leak_report.locked_out", { address: lockedOut })
    return yield* Effect.fail(answer(401))
  })

  const handle = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const body = yield* Effect.provideService(readSigned(request), HttpIncomingMessage.MaxBodySize, mostBytes)
    const found = yield* Effect.mapError(decodeReport(body.toString("utf8")), () => answer(400))
    yield* leaked.end(found, actor)
    return HttpServerResponse.jsonUnsafe(found.map(feedbackOf), { headers: noStore })
  }, Effect.catch((refusal) => Effect.succeed(refusal)))

  yield* router.add("POST", "/v2/secret-scanning/alerts", handle)
})).pipe(Layer.provide(LeakedCredentials.layer))

/** Name of who reports, in the trail. */
const actor = "secret-scanning"

const subject = "leak report"

/** Many more than GitHub sends at once; each costs a hash at least. */
const mostFound = 5_000
const mostBytes = ByteSize.fromInputUnsafe("1 MiB")

const decodeReport = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Array(FoundCredential).check(Schema.isMaxLength(mostFound)))
)

const noStore = { "cache-control": "no-store" }

const answer = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.empty({ status, headers: { ...noStore, ...headers } })

const tooMany = (retryAfter: Duration.Duration) =>
  Effect.fail(answer(429, { "retry-after": String(Math.ceil(Duration.toSeconds(retryAfter))) }))
