import {
  type Config,
  ConfigProvider,
  Context,
  type Duration,
  Effect,
  Layer,
  Option,
  type Redacted,
  Result,
  Schema
} from "effect"
import { table } from "./Settings.ts"

/**
 * Everything the environment decides, read once at start-up. Every mistake is reported, not just the first, and no
 * message repeats a value: a value may be a secret.
 */
export class AppConfig extends Context.Service<AppConfig, Settings>()("slotkey/foundation/config/AppConfig") {
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
