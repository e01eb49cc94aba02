import { misfits, operations } from "../test/doors/contract/Fixture.ts"
import type { Answer, Attempt } from "./Attempt.ts"
import { changes, type State } from "./State.ts"
import { markup } from "./Values.ts"

/** An attempt with everything that is known after it. */
export interface Outcome {
  readonly attempt: Attempt
  readonly answer: Answer
  readonly before: State
  readonly after: State
  /** Lines of the log that the request caused. */
  readonly log: ReadonlyArray<string>
  /** Secrets of the world. */
  readonly secrets: ReadonlyArray<string>
}

/** Sentences that an outcome breaks a rule by; empty if all is well. */
export const violations = (outcome: Outcome): ReadonlyArray<string> => rules.flatMap((rule) => rule(outcome))

type Rule = (outcome: Outcome) => ReadonlyArray<string>

const noServerError: Rule = ({ answer: { status } }) => status >= 500 || status < 100 ? [`answers ${status}`] : []

const noSecretRepeated: Rule = ({ answer, attempt, log, secrets }) => {
  const answered = `${answer.text}\n${Object.values(answer.headers).join("\n")}`
  const guarded = [...secrets, ...attempt.secrets].filter((secret) => secret.length >= 8)
  const isExempt = repeating.some(([path]) => path.test(attempt.path))
  return [
    ...(!isExempt && guarded.some((secret) => answered.includes(secret)) ? ["repeats a secret in its answer"] : []),
    ...(log.some((line) => guarded.some((secret) => line.includes(secret))) ? ["writes a secret to the log"] : [])
  ]
}

/** Answers that repeat a secret, with the reason. */
const repeating: ReadonlyArray<readonly [path: RegExp, reason: string]> = [
  [/^\/playground/, "the playground shows each request as it is sent"]
]

const noMarkup: Rule = ({ answer }) =>
  answer.headers["content-type"]?.startsWith("text/html") && answer.text.includes(markup)
    ? ["writes what was sent into its HTML as markup"]
    : []

const challenged: Rule = ({ answer: { headers, status } }) =>
  status === 401 && headers["www-authenticate"] === undefined
    ? ["answers 401 without a challenge (RFC 9110 §15.5.2)"]
    : []

const refusalChangesNothing: Rule = ({ after, answer, attempt, before }) => {
  if (answer.status < 400 || answer.status > 499) return []
  const changed = changes(before, after).filter((table) =>
    !noted.some(([tables, targets]) => tables.test(table) && targets.test(attempt.target))
  )
  return changed.length === 0 ? [] : [`changes ${changed.join(" and ")}, and answers ${answer.status}`]
}

/** What a refused request may leave behind: the tables, the routes, the reason. */
const noted: ReadonlyArray<readonly [tables: RegExp, targets: RegExp, reason: string]> = [
  [/^rate_limits$/, /./, "wrong passwords, set-ups and logos that were asked for are counted"],
  [
    /^refused_requests$/,
    /./,
    "the owner of an app sees why requests of it were refused; those are noted a moment later"
  ],
  [/^sessions$/, /^GET /, "what a session keeps for one page is taken by it, whatever that page answers"],
  [/^registration_drafts$/, /^POST \/settings\/apps(\/new.*)?$/, "what was entered is kept before anything is judged"],
  [/^usage_/, /./, "calls with a token are counted, whatever they were answered, and the sums written a moment later"],
  [/^legacy_/, /./, "the traffic of legacy apps is counted; calls and refused tokens a moment later"],
  [
    /^(grants|audit_log|outbox)$/,
    /^POST \/v2\/auth\/oauth2\/token$/,
    "a code or refresh token that is used twice ends its grant (RFC 6749 §4.1.2, RFC 9700 §4.14.2)"
  ]
]

const answersAsDocumented: Rule = ({ answer, attempt }) => {
  const operation = operations.find(({ name }) => name === attempt.operation)
  // Refusals that come before there is an operation: bodies and heads that are too large, addresses too
  // long to be kept until somebody has signed in, paths and methods that lead elsewhere.
  if (operation === undefined || [404, 405, 413, 414, 431].includes(answer.status)) return []
  const json: Record<string, unknown> = answer.text.startsWith("{") ? JSON.parse(answer.text) : {}
  return misfits(operation, { ...answer, headers: new Headers(answer.headers), json })
}

const rules: ReadonlyArray<Rule> = [
  noServerError,
  noSecretRepeated,
  noMarkup,
  challenged,
  refusalChangesNothing,
  answersAsDocumented
]
