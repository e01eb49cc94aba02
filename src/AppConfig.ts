import { Config, ConfigProvider, Context, Duration, Effect, Layer, Option, Redacted, Result, Schema } from "effect"

/**
 * Everything the environment decides, read once at start-up. Every mistake is reported, not just the first, and no
 * message repeats a value: a value may be a secret.
 */
export class AppConfig extends Context.Service<AppConfig, Settings>()("slotkey/AppConfig") {
  static readonly layer: Layer.Layer<AppConfig, SettingsError> = Layer.effect(AppConfig, Effect.suspend(() => read))

  /** The settings of a test: embedded, and the given ones on top. */
  static readonly layerTest = (env: Readonly<Record<string, string>> = {}): Layer.Layer<AppConfig> =>
    this.layer.pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
        BASE_URL: "https://slotkey.test",
        MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
        ...env
      }))),
      Layer.orDie
    )
}

/** One or more settings are missing or wrong; the message has a line for each. */
export class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return ["The settings are not usable:", ...this.problems.map((problem) => `  ${problem}`)].join("\n")
  }
}

export interface Settings {
  readonly port: number
  readonly host: string
  /** The base address of the API, without a trailing slash. */
  readonly baseUrl: string
  /** The base address of the web application, without a trailing slash. */
  readonly authUrl: string
  /** The `issuer` of RFC 8414, byte for byte; a string because clients compare it character by character. */
  readonly issuer: string
  readonly database: { readonly _tag: "Embedded" } | { readonly _tag: "Server"; readonly url: Redacted.Redacted }
  readonly redisUrl: Option.Option<Redacted.Redacted>
  readonly dataDir: string
  /** 32 bytes; absent only in embedded mode, where one is kept in the data folder. */
  readonly masterKey: Option.Option<Redacted.Redacted<Uint8Array>>
  /** The master key before, while the keys in the database are sealed anew. */
  readonly masterKeyPrevious: Option.Option<Redacted.Redacted<Uint8Array>>
  readonly smtpUrl: Option.Option<Redacted.Redacted>
  readonly mailFrom: string
  /** How long the mail server or a webhook may take for one message. */
  readonly mailTimeout: Duration.Duration
  readonly reviewWebhookUrl: Option.Option<string>
  readonly reviewWebhookSecret: Option.Option<Redacted.Redacted>
  readonly reviewReminderAfter: Duration.Duration
  readonly migrationAuditDays: number
  /** How long saved scopes of a legacy client can be taken back. */
  readonly legacyUndo: Duration.Duration
  readonly workerPort: number
  readonly dashboardPassword: Option.Option<Redacted.Redacted>
  readonly jobAttempts: number
  readonly jobBackoff: Duration.Duration
  readonly jobLock: Duration.Duration
  readonly accessTokenAlgorithm: "ES256" | "RS256" | "EdDSA"
  /** How long a key of the server signs before the next takes over. */
  readonly keyLifetime: Duration.Duration
  readonly codeLifetime: Duration.Duration
  readonly refreshGrace: Duration.Duration
  readonly grantIdleLifetime: Duration.Duration
  readonly grantLifetime: Duration.Duration
  readonly sessionLifetime: Duration.Duration
  readonly trustedProxies: number
}

/** A setting as the README lists it. */
export interface Setting {
  readonly name: string
  readonly unit: string
  readonly default: string
  readonly meaning: string
}

const setting = <A>(
  name: string,
  about: Omit<Setting, "name">,
  config: (name: string) => Config.Config<A>
) => ({ name, ...about, config: config(name) })

const url = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const { hash, hostname, password, pathname, protocol, search, username } = new URL(value)
  const loopback = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]"
  return (protocol === "https:" || (protocol === "http:" && loopback)) && username === "" && password === "" &&
    search === "" && hash === "" && !value.endsWith("/") && !pathname.endsWith("//")
}
const BaseUrl = Schema.String.check(Schema.makeFilter(url))
const baseUrl = (name: string) => Config.option(Config.schema(BaseUrl, name))

const between = (min: Duration.Input, max: Duration.Input) => (name: string) =>
  Config.schema(
    Schema.DurationFromString.check(Schema.makeFilter((duration) =>
      Duration.isGreaterThanOrEqualTo(duration, Duration.fromInputUnsafe(min)) &&
      Duration.isLessThanOrEqualTo(duration, Duration.fromInputUnsafe(max))
    )),
    name
  )
const duration = (fallback: Duration.Input, min: Duration.Input, max: Duration.Input) => (name: string) =>
  between(min, max)(name).pipe(Config.withDefault(Duration.fromInputUnsafe(fallback)))

const Key = Schema.String.check(Schema.makeFilter((text) => Buffer.from(text, "base64url").length === 32))
const keyBytes = (name: string) =>
  Config.option(Config.map(
    Config.schema(Key, name),
    (text) => Redacted.make<Uint8Array>(Buffer.from(text, "base64url"), { label: name })
  ))
const serverUrl = (...protocols: ReadonlyArray<string>) => (name: string) =>
  Config.option(Config.map(
    Config.schema(
      Schema.String.check(
        Schema.makeFilter((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol))
      ),
      name
    ),
    (text) => Redacted.make(text)
  ))

const webhookUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const { hostname, password, protocol, username } = new URL(value)
  const loopback = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]"
  return (protocol === "https:" || (protocol === "http:" && loopback)) && username === "" && password === ""
}
const secret = (length: number) => (name: string) =>
  Config.option(Config.map(
    Config.schema(Schema.String.check(Schema.isMinLength(length)), name),
    (text) => Redacted.make(text, { label: name })
  ))
const integer = (fallback: number, minimum: number, maximum: number) => (name: string) =>
  Config.schema(Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name).pipe(
    Config.withDefault(fallback)
  )

const table = {
  port: setting("PORT", {
    unit: "TCP port",
    default: "3000",
    meaning: "where the server listens"
  }, (name) => Config.Port(name).pipe(Config.withDefault(3000))),
  host: setting("HOST", {
    unit: "address",
    default: "127.0.0.1",
    meaning: "the address to listen on; `0.0.0.0` for all"
  }, (name) => Config.NonEmptyString(name).pipe(Config.withDefault("127.0.0.1"))),
  baseUrl: setting("BASE_URL", {
    unit: "https address (http on loopback), no trailing slash",
    default: "http://localhost:PORT",
    meaning: "the API as its clients see it"
  }, baseUrl),
  authUrl: setting("AUTH_URL", {
    unit: "https address (http on loopback), no trailing slash",
    default: "BASE_URL",
    meaning: "the web application: sign-in, consent, settings"
  }, baseUrl),
  issuer: setting("ISSUER", {
    unit: "https address (http on loopback), no trailing slash",
    default: "BASE_URL",
    meaning: "`iss` of tokens and of authorization responses (RFC 8414, RFC 9207)"
  }, baseUrl),
  databaseUrl: setting("DATABASE_URL", {
    unit: "postgres:// address",
    default: "none: PGlite in DATA_DIR",
    meaning: "the PostgreSQL server; setting it is production mode"
  }, serverUrl("postgres:", "postgresql:")),
  redisUrl: setting("REDIS_URL", {
    unit: "redis:// or rediss:// address",
    default: "none: jobs in the database",
    meaning: "where BullMQ keeps its queues"
  }, serverUrl("redis:", "rediss:")),
  dataDir: setting("DATA_DIR", {
    unit: "folder",
    default: "./data",
    meaning: "database, master key and mails of embedded mode"
  }, (name) => Config.NonEmptyString(name).pipe(Config.withDefault("./data"))),
  masterKey: setting("MASTER_KEY", {
    unit: "32 bytes in base64",
    default: "embedded mode keeps its own in DATA_DIR; required with DATABASE_URL",
    meaning: "encrypts the signing keys at rest; make one with `openssl rand -base64 32`"
  }, keyBytes),
  masterKeyPrevious: setting("MASTER_KEY_PREVIOUS", {
    unit: "32 bytes in base64",
    default: "none",
    meaning: "the master key before, until `slotkey keys rotate-master` has run"
  }, keyBytes),
  smtpUrl: setting("SMTP_URL", {
    unit: "smtp:// or smtps:// address",
    default: "none: mails are files in DATA_DIR/mail",
    meaning: "the mail server"
  }, serverUrl("smtp:", "smtps:")),
  mailFrom: setting("MAIL_FROM", {
    unit: "mail address",
    default: "Slotkey <slotkey@localhost>",
    meaning: "the sender of mails"
  }, (name) => Config.NonEmptyString(name).pipe(Config.withDefault("Slotkey <slotkey@localhost>"))),
  mailTimeout: setting("MAIL_TIMEOUT", {
    unit: "duration, 1 second to 5 minutes",
    default: "30 seconds",
    meaning: "how long the mail server or the webhook may take for one message"
  }, duration("30 seconds", "1 second", "5 minutes")),
  reviewWebhookUrl: setting("REVIEW_WEBHOOK_URL", {
    unit: "https address (http on loopback)",
    default: "none",
    meaning: "is told of every event of a review, signed as Standard Webhooks has it"
  }, (name) => Config.option(Config.schema(Schema.String.check(Schema.makeFilter(webhookUrl)), name))),
  reviewWebhookSecret: setting("REVIEW_WEBHOOK_SECRET", {
    unit: "at least 16 characters",
    default: "none; required with REVIEW_WEBHOOK_URL",
    meaning: "the key of the webhook's signature"
  }, secret(16)),
  reviewReminderAfter: setting("REVIEW_REMINDER_AFTER", {
    unit: "duration, from 1 hour",
    default: "3 days",
    meaning: "administrators are reminded of an app that waits for review so long, and again after the same time"
  }, duration("3 days", "1 hour", "365 days")),
  migrationAuditDays: setting("MIGRATION_AUDIT_DAYS", {
    unit: "days, 1 to 365",
    default: "30",
    meaning: "how far back the audit of a legacy client looks at its authorization requests"
  }, integer(30, 1, 365)),
  legacyUndo: setting("LEGACY_UNDO", {
    unit: "duration, 0 seconds to 365 days",
    default: "7 days",
    meaning: "how long the owner of a legacy client can take back that its scopes were saved"
  }, duration("7 days", "0 seconds", "365 days")),
  workerPort: setting("WORKER_PORT", {
    unit: "TCP port",
    default: "3001",
    meaning: "where the worker process serves health, metrics and the queue dashboard"
  }, (name) => Config.Port(name).pipe(Config.withDefault(3001))),
  dashboardPassword: setting("DASHBOARD_PASSWORD", {
    unit: "at least 12 characters",
    default: "none: the worker process shows no dashboard",
    meaning: "opens the worker's dashboard at /queues to the user `operator`"
  }, secret(12)),
  jobAttempts: setting("JOB_ATTEMPTS", {
    unit: "number of attempts, 1 to 100",
    default: "60",
    meaning: "how often a job is tried before it is put aside for an operator"
  }, integer(60, 1, 100)),
  jobBackoff: setting("JOB_BACKOFF", {
    unit: "duration, 10 milliseconds to 1 hour",
    default: "1 second",
    meaning: "the wait after the first failed attempt; it doubles with each, up to one hour"
  }, duration("1 second", "10 millis", "1 hour")),
  jobLock: setting("JOB_LOCK", {
    unit: "duration, 1 second to 10 minutes",
    default: "30 seconds",
    meaning: "a job whose worker was not heard of for so long is given to another"
  }, duration("30 seconds", "1 second", "10 minutes")),
  accessTokenAlgorithm: setting("ACCESS_TOKEN_ALGORITHM", {
    unit: "ES256, RS256 or EdDSA",
    default: "ES256",
    meaning: "the signature of new access tokens"
  }, (name) => Config.Literals(["ES256", "RS256", "EdDSA"], name).pipe(Config.withDefault("ES256" as const))),
  keyLifetime: setting("KEY_LIFETIME", {
    unit: "duration, from 1 day",
    default: "90 days",
    meaning: "how long a key of the server signs before the next takes over"
  }, duration("90 days", "1 day", "36500 days")),
  codeLifetime: setting("CODE_LIFETIME", {
    unit: "duration, 1 second to 10 minutes",
    default: "60 seconds",
    meaning: "how long an authorization code can be exchanged"
  }, duration("60 seconds", "1 second", "10 minutes")),
  refreshGrace: setting("REFRESH_GRACE", {
    unit: "duration, 0 seconds to 5 minutes",
    default: "30 seconds",
    meaning: "how long after a rotation the replaced refresh token gets the same successor"
  }, duration("30 seconds", "0 seconds", "5 minutes")),
  grantIdleLifetime: setting("GRANT_IDLE_LIFETIME", {
    unit: "duration, from 30 minutes",
    default: "60 days",
    meaning: "a grant that is not refreshed for so long ends"
  }, duration("60 days", "30 minutes", "36500 days")),
  grantLifetime: setting("GRANT_LIFETIME", {
    unit: "duration, from 30 minutes",
    default: "365 days",
    meaning: "a grant ends so long after the consent, however often it was refreshed"
  }, duration("365 days", "30 minutes", "36500 days")),
  sessionLifetime: setting("SESSION_LIFETIME", {
    unit: "duration, from 5 minutes",
    default: "14 days",
    meaning: "a sign-in ends when it was not used for so long"
  }, duration("14 days", "5 minutes", "400 days")),
  trustedProxies: setting("TRUSTED_PROXIES", {
    unit: "number of proxies",
    default: "0",
    meaning: "how many entries at the right of `X-Forwarded-For` our own proxies wrote"
  }, integer(0, 0, 10))
} as const

/** All settings, in the order in which the README lists them. */
export const settings: ReadonlyArray<Setting> = Object.values(table)

type Values = { readonly [K in keyof typeof table]: Config.Success<(typeof table)[K]["config"]> }

const read = Effect.gen(function*() {
  const problems: Array<string> = []
  const values: Record<string, unknown> = {}
  for (const [key, { config, name, unit }] of Object.entries(table)) {
    const result = yield* Effect.result<unknown, Config.ConfigError, never>(config)
    if (Result.isSuccess(result)) values[key] = result.success
    else problems.push(`${name} must be: ${unit}`)
  }
  const { databaseUrl, ...rest } = values as Values
  if (databaseUrl !== undefined && Option.isSome(databaseUrl) && rest.masterKey && Option.isNone(rest.masterKey)) {
    problems.push(`MASTER_KEY is required with DATABASE_URL: ${table.masterKey.unit}`)
  }
  if (
    rest.reviewWebhookUrl && Option.isSome(rest.reviewWebhookUrl) && rest.reviewWebhookSecret &&
    Option.isNone(rest.reviewWebhookSecret)
  ) {
    problems.push(`REVIEW_WEBHOOK_SECRET is required with REVIEW_WEBHOOK_URL: ${table.reviewWebhookSecret.unit}`)
  }
  if (problems.length > 0) return yield* new SettingsError({ problems })

  const base = Option.getOrElse(rest.baseUrl, () => `http://localhost:${rest.port}`)
  return {
    ...rest,
    baseUrl: base,
    authUrl: Option.getOrElse(rest.authUrl, () => base),
    issuer: Option.getOrElse(rest.issuer, () => base),
    database: Option.match(databaseUrl, {
      onNone: () => ({ _tag: "Embedded" as const }),
      onSome: (url) => ({ _tag: "Server" as const, url })
    })
  }
})
