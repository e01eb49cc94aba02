import { DateTime, Duration, Effect, Fiber, FiberMap, Layer, Metric, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../../domain/Credential.ts"
import { prefixes } from "../../../domain/CredentialKind.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as OncePerMinute from "../../../foundation/log/OncePerMinute.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import type { ClientStanding } from "../../clients/records/Client.ts"
import { isShort } from "../../clients/secrets/SecretInfo.ts"
import { GrantStore } from "../../grants/GrantStore.ts"
import * as ImportedToken from "../../tokens/ImportedToken.ts"
import { ImportedTokens } from "../../tokens/ImportedTokens.ts"
import type { RefreshToken } from "../../tokens/RefreshToken.ts"
import { UnknownTokens } from "../../tokens/UnknownTokens.ts"
import { writeTokens } from "../import/ImportWriter.ts"
import { makeEndedAccess } from "./EndedAccess.ts"
import * as PreviousServer from "./PreviousServer.ts"
import { makeQuestionBudget } from "./QuestionBudget.ts"
import { RecentRefusals } from "./RecentRefusals.ts"
import { isAccessToken } from "./TokenUse.ts"
import { makeTokenUser } from "./TokenUser.ts"
import { judge, type Live, type Misfit, type Outcome, outcomes, type Refusal, refusal } from "./Verdict.ts"

const make = Effect.gen(function*() {
  const config = yield* AppConfig
  const introspect = PreviousServer.introspection(config)
  if (Option.isNone(introspect)) return undefined
  const until = Option.getOrThrow(config.legacyIntrospectionUntil)
  const clock = yield* DatabaseClock
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const imported = yield* ImportedTokens
  const context = yield* Effect.context<GrantStore | ImportedTokens | SqlClient.SqlClient>()
  const budget = yield* makeQuestionBudget
  const findUser = yield* makeTokenUser
  const hasEndedAccess = yield* makeEndedAccess
  const refusals = new RecentRefusals()
  const questions = yield* FiberMap.make<string, Adoption, Unanswered>()
  const report = yield* OncePerMinute.make((reason, count) =>
    Effect.logWarning("The previous server was asked about refresh tokens in vain", { reason, count })
  )
  // Read once, so that they are there with 0.
  yield* Effect.forEach(outcomes, (outcome) => Metric.value(questionsOf(outcome)))
  if (DateTime.isLessThanOrEqualTo(until, yield* clock.now)) yield* Effect.logInfo(PreviousServer.endedText)

  const ask = (text: string) =>
    Effect.timeoutOrElse(introspect.value(text), {
      duration: Duration.times(config.tokenTimeout, shareOfRequest),
      orElse: () => Effect.fail(PreviousServer.overdue)
    })

  /** Opens the grant, unless another process has done so meanwhile. */
  const open = Effect.fnUntraced(
    function*(client: ClientStanding, userId: UserId, text: string, { expiresAt, issuedAt }: Live) {
      if (yield* hasEndedAccess(client.id, userId)) return "its access was ended here"
      const now = yield* clock.now
      const token = {
        clientId: client.id,
        userId,
        digest: Credential.digest(text),
        // The clock of the previous server may be ahead.
        issuedAt: issuedAt && DateTime.min(issuedAt, now),
        expiresAt,
        rotates: false,
        idleDays: null
      }
      const [reason] = yield* writeTokens([token])
      if (reason === undefined) {
        yield* audit.record({ actor: client.id, action: "grant.imported", clientId: client.id, userId })
      }
      return reason
    },
    inTransaction(sql),
    Effect.provideContext(context)
  )

  /** Token of a grant that is there: another process may have opened it a moment ago, or it is another app's. */
  const findKnown = Effect.fnUntraced(function*(client: ClientStanding, text: string) {
    const digest = ImportedToken.digest(Credential.digest(text))
    if ((yield* imported.known([digest])).size === 0) return undefined
    return Option.getOrUndefined(yield* imported.find(client, text)) ??
      (yield* Effect.fail(refusal("other_client", "the token is another app's")))
  })

  const inquire = Effect.fnUntraced(function*(client: ClientStanding, text: string) {
    const known = yield* findKnown(client, text)
    if (known !== undefined) return known
    const verdict = judge(yield* ask(text), text, client.id, yield* clock.now)
    if (verdict._tag !== "Live") return yield* Effect.fail(verdict)
    const userId = yield* findUser(verdict.token)
    const reason = yield* open(client, userId, text, verdict)
    const token = yield* findKnown(client, text)
    if (token === undefined) return yield* Effect.fail(refusal("ended_here", `the token is left out: ${reason}`))
    if (reason === undefined) {
      yield* count("adopted")
      const ids = { client_id: client.id, user_id: userId, grant_id: token.grantId }
      yield* Effect.annotateLogs(Effect.logInfo("Took over a refresh token of the previous server"), ids)
    }
    return token
  })

  const question = Effect.fnUntraced(function*(client: ClientStanding, text: string, address: string, key: string) {
    const remember = (refusal: Misfit | Refusal) =>
      Effect.map(clock.now, (now) => refusals.add(key, refusal, DateTime.toEpochMillis(now)))
    yield* Effect.tapError(budget.spend(client.id, address), () => count("limited"))
    return yield* inquire(client, text).pipe(
      Effect.tap(() => budget.takeBack(client.id, address)),
      Effect.map(Result.succeed),
      Effect.catchTags({
        Refusal: (refusal) =>
          Effect.andThen(Effect.andThen(count(refusal.outcome), remember(refusal)), answerOf(refusal)),
        Misfit: (misfit) =>
          Effect.all([count("unusable"), report(misfit.reason), remember(misfit)]).pipe(
            Effect.andThen(answerOf(misfit))
          ),
        PreviousServerUnavailable: ({ answered, reason }) =>
          Effect.all([
            count(answered ? "unusable" : "unavailable"),
            report(`it ${reason}`),
            // What never reached it costs nobody a later question.
            answered ? Effect.void : budget.takeBack(client.id, address)
          ]).pipe(Effect.andThen(Effect.fail(cannotAsk)))
      })
    )
  })

  const adopt = Effect.fn("IntrospectedTokens.adopt")(
    function*(client: ClientStanding, text: string, address: string) {
      const now = yield* clock.now
      if (!isAskable(client, text) || DateTime.isGreaterThanOrEqualTo(now, until)) return notGenuine
      const key = Buffer.from(Credential.digest(`${client.id}\0${text}`)).toString("base64url")
      const recent = refusals.find(key, DateTime.toEpochMillis(now))
      if (recent !== undefined) return yield* answerOf(recent)
      const asking = yield* FiberMap.get(questions, key)
      if (Option.isSome(asking)) return yield* Fiber.join(asking.value)
      // Those that wait hold slots of the server, of which other requests need most.
      if ((yield* FiberMap.size(questions)) >= mostQuestions) return yield* cannotAsk
      // It goes on when the request is given up, so that its answer serves the next attempt.
      return yield* Fiber.join(yield* FiberMap.run(questions, key, question(client, text, address, key)))
    }
  )

  return { adopt }
})

/**
 * Takes over refresh tokens that the previous server never stored, by asking it about each of them once, when an app
 * first presents it: `LEGACY_INTROSPECTION_URL`, until `LEGACY_INTROSPECTION_UNTIL`. What becomes of such a token is
 * what becomes of one that an import has brought. An answer that decides nothing is `temporarily_unavailable`: on
 * `invalid_grant` an app would drop what its user has granted.
 */
export const IntrospectedTokens = Layer.effect(UnknownTokens, make)

type Adoption = Result.Result<RefreshToken, string>
type Unanswered = TemporarilyUnavailable | TooManyAttempts

/** Holds for what may be a refresh token of a legacy client, and is no credential of this server. */
const isAskable = ({ isLegacyClient }: ClientStanding, text: string): boolean =>
  isLegacyClient && !isShort(text) && text.length <= longestToken && /^[\x21-\x7e]+$/.test(text) &&
  !ownPrefixes.some((prefix) => text.startsWith(prefix)) && !isAccessToken(text)

const ownPrefixes = Object.values(prefixes)

/** Longer than any that fits the headers and forms of the field. */
const longestToken = 8_192

const answerOf = (refusal: Misfit | Refusal): Effect.Effect<Adoption, TemporarilyUnavailable> =>
  refusal._tag === "Misfit" ? Effect.fail(cannotAsk) : Effect.succeed(Result.fail(refusal.reason))

const notGenuine: Adoption = Result.fail("the token is not genuine")

const cannotAsk = new TemporarilyUnavailable({
  error_description: "the server that issued the token cannot be asked just now, try again shortly"
})

/** Share of a token request's time that the previous server may take. */
const shareOfRequest = 0.6

/** Questions that one process asks at a time. */
export const mostQuestions = 32

const asked = Metric.counter("slotkey_legacy_introspections_total", {
  description: "Questions to the previous server about refresh tokens of legacy apps, by what became of them",
  incremental: true
})
const questionsOf = (outcome: Outcome) => Metric.withAttributes(asked, { outcome })
const count = (outcome: Outcome) => Metric.update(questionsOf(outcome), 1)
