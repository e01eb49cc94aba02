import { Config, ConfigProvider, Context, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { Brands } from "../../domain/brand/Brand.ts"
import { Catalogue, make } from "../../domain/catalogue/Catalogue.ts"
import * as GivenCatalogue from "../../domain/catalogue/GivenCatalogue.ts"
import { ThrowawayMailHosts } from "../../domain/ThrowawayMailHosts.ts"
import type { DatabaseAddress } from "./DatabaseAddress.ts"
import { brandsOf, loadBrands } from "./LoadBrands.ts"
import { loadCatalogue } from "./LoadCatalogue.ts"
import { loadMailHosts } from "./LoadMailHosts.ts"
import { fileSettingOf, secretFiles } from "./SecretFiles.ts"
import { misspelled, sentenceOf } from "./SettingNames.ts"
import { operatorPortOffset, requirements, table } from "./Settings.ts"
import { cores, maxPort } from "./SettingTypes.ts"

/**
 * Environment, read once at start-up by every process. Every mistake is reported, not just the first, and no message
 * repeats a value: it may be a secret. With the settings come the catalogue and the brands whose files they name, for
 * all that is built above.
 */
export class AppConfig extends Context.Service<AppConfig, Settings>()("slotkey/foundation/config/AppConfig") {
  static readonly layer: Layer.Layer<AppConfig, SettingsError> = Layer.effectContext(Effect.suspend(() => read))

  /**
   * Settings of a test: those of embedded mode, changed by the given ones, and a catalogue of its own. None of these is
   * there for another program.
   */
  static readonly layerTest = (
    env: Readonly<Record<string, string>> = {},
    catalogue?: object
  ): Layer.Layer<AppConfig> =>
    // A test may have several, and a layer that is shared would give all of them the settings of the first.
    Layer.fresh(Layer.effectContext(Effect.tap(read, refuseMisspelled))).pipe(
      Layer.merge(catalogue === undefined ? Layer.empty : GivenCatalogue.layer(catalogue)),
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
  problems: Schema.Array(Schema.String),
  /** Variables that look like a misspelled setting: perhaps the one that is missing. */
  misspelled: Schema.Array(Schema.String)
}) {
  override get message() {
    const lines = [...this.problems, ...this.misspelled].map((line) => `  ${line}`)
    return ["The settings are not usable:", ...lines].join("\n")
  }
}

/** Values of the table in `Settings.ts`, and what follows from several of them. */
export interface Settings extends
  Omit<
    Values,
    | "authUrl"
    | "baseUrl"
    | "dashboardUrl"
    | `database${string}`
    | "drainDelay"
    | "issuer"
    | "operatorPort"
    | "serverProcesses"
    | "testApps"
  >
{
  /** Base address of the API, without a trailing slash. */
  readonly baseUrl: string
  /** Base address of the web application, without a trailing slash. */
  readonly authUrl: string
  /** `issuer` of RFC 8414, byte for byte; a string because clients compare it character by character. */
  readonly issuer: string
  readonly operatorPort: number
  /** Dashboard of the queues, where the pages of administrators may link to it. */
  readonly dashboardUrl: Option.Option<string>
  readonly drainDelay: Duration.Duration
  /** Number of processes of one server; an embedded database allows one. */
  readonly serverProcesses: number
  readonly testApps: boolean
  readonly database: { readonly _tag: "Embedded" } | DatabaseServer
}

/** A database that runs elsewhere. */
export interface DatabaseServer {
  readonly _tag: "Server"
  /** Address for the statements of requests. */
  readonly address: DatabaseAddress
  /** Address of PostgreSQL itself: the same, unless `address` is a pooler's. */
  readonly direct: DatabaseAddress
  /** A pooler in transaction mode keeps no state of a session: no prepared statements, for instance. */
  readonly isPooled: boolean
}

type Values = { readonly [K in keyof typeof table]: Config.Success<(typeof table)[K]["config"]> }

const read = Effect.gen(function*() {
  const files = yield* secretFiles
  const provider = ConfigProvider.orElse(
    ConfigProvider.fromUnknown(files.contents),
    yield* ConfigProvider.ConfigProvider
  )
  const problems: Array<string> = []
  const values: Record<string, unknown> = {}
  for (const [key, { config, name, unit }] of Object.entries(table)) {
    const unread = files.problems.get(name)
    if (unread !== undefined) {
      problems.push(unread)
      continue
    }
    const result = yield* Effect.result<unknown, Config.ConfigError, never>(config.parse(provider))
    if (Result.isSuccess(result)) values[key] = result.success
    else {problems.push(
        name in files.contents ? `${fileSettingOf(name)} must hold: ${unit}` : `${name} must be: ${unit}`
      )}
  }
  if (!("baseUrl" in values) && Option.contains(yield* Effect.option(Config.String("BASE_URL")), "/")) {
    problems.push(
      "BASE_URL is /, to which vitest sets it: set it to an address in that test, or take AppConfig.layerTest"
    )
  }
  const require = (condition: string, holds: boolean, setting: keyof typeof table) => {
    if (!holds || !isAbsent(values[setting])) return
    problems.push(`${table[setting].name} is required with ${condition}: ${table[setting].unit}`)
  }
  for (const { setting, with: other } of requirements) require(table[other].name, isGiven(values[other]), setting)
  // Their default follows from `PORT`, except from some.
  require("PORT 0", values["port"] === 0, "baseUrl")
  require(`a PORT above ${highestPort}`, Number(values["port"]) > highestPort, "operatorPort")
  const ways = values["signIn"]
  for (const { setting, way } of signInRequirements) {
    require(`SIGN_IN ${way}`, ways instanceof Set && ways.has(way), setting)
  }
  if (Number(values["serverProcesses"]) > 1 && isAbsent(values["databaseUrl"])) {
    problems.push(
      "SERVER_PROCESSES above 1 needs DATABASE_URL: the embedded database lives in the one process that serves"
    )
  }
  /** What is in the file that a setting names, unless something is wrong with it. */
  const load = Effect.fnUntraced(function*<A, E extends Error>(
    setting: "brand" | "catalogue" | "throwawayMailHosts",
    load: (path: string) => Effect.Effect<A, E>
  ) {
    const given = values[setting]
    if (!Option.isOption(given) || Option.isNone(given)) return undefined
    return yield* Effect.catch(load(String(given.value)), ({ message }) => {
      problems.push(`${table[setting].name}: ${message.replaceAll("\n", "\n  ")}`)
      return Effect.undefined
    })
  })
  const catalogue = yield* load("catalogue", loadCatalogue)
  const brands = yield* load("brand", loadBrands)
  const mailHosts = yield* load("throwawayMailHosts", loadMailHosts)
  for (const [setting, key] of [["mailFrom", "mailFrom"], ["supportAddress", "support"]] as const) {
    if (isGiven(values[setting]) && brands?.every(({ entry }) => entry[key] !== undefined) === true) {
      problems.push(`${table[setting].name} is set, and every brand of BRAND has a "${key}": take one of them away`)
    }
  }
  const { isScope } = catalogue === undefined ? yield* Catalogue : make(catalogue.file, catalogue)
  if (values["apiBaseScopes"] instanceof Set && ![...values["apiBaseScopes"]].every(isScope)) {
    problems.push(`API_BASE_SCOPES must be: ${table.apiBaseScopes.unit}`)
  }
  if (problems.length > 0) return yield* unusable(problems)

  const { databaseDirectUrl, databasePooler, databaseUrl, ...rest } = values as Values
  const base = Option.getOrElse(rest.baseUrl, () => `http://localhost:${rest.port}`)
  const settings: Settings = {
    ...rest,
    operatorPort: Option.getOrElse(rest.operatorPort, () => rest.port === 0 ? 0 : rest.port + operatorPortOffset),
    baseUrl: base,
    authUrl: Option.getOrElse(rest.authUrl, () => base),
    issuer: Option.getOrElse(rest.issuer, () => base),
    dashboardUrl: Option.match(rest.dashboardUrl, {
      onNone: () => Option.isNone(databaseUrl) ? Option.some("/queues") : Option.none(),
      onSome: ({ href }) => Option.some(href)
    }),
    drainDelay: Option.getOrElse(rest.drainDelay, () => Duration.seconds(Option.isSome(databaseUrl) ? 5 : 0)),
    serverProcesses: rest.serverProcesses !== "auto" ? rest.serverProcesses : Option.isSome(databaseUrl) ? cores() : 1,
    testApps: Option.match(rest.testApps, { onNone: () => Option.isNone(databaseUrl), onSome: (is) => is === "on" }),
    database: Option.match(databaseUrl, {
      onNone: () => ({ _tag: "Embedded" as const }),
      onSome: (address) => ({
        _tag: "Server" as const,
        address,
        direct: Option.getOrElse(databaseDirectUrl, () => address),
        isPooled: Option.isSome(databasePooler)
      })
    })
  }
  const context = Context.make(AppConfig, settings).pipe(
    Context.add(Brands, brandsOf(brands, settings)),
    Context.add(ThrowawayMailHosts, mailHosts)
  )
  return catalogue === undefined ? context : Context.add(context, Catalogue, make(catalogue.file, catalogue))
})

const unusable = (problems: ReadonlyArray<string>) =>
  Effect.flatMap(misspelled, (names) => new SettingsError({ problems, misspelled: names.map(sentenceOf) }))

const refuseMisspelled = Effect.flatMap(misspelled, (names) => names.length === 0 ? Effect.void : unusable([]))

/** The highest port that leaves one for the operator. */
const highestPort = maxPort - operatorPortOffset

/** Settings without which a way to sign in leads nowhere. */
const signInRequirements = [
  { way: "oidc", setting: "oidcIssuer" },
  { way: "oidc", setting: "oidcClientId" },
  { way: "handover", setting: "handoverUrl" },
  { way: "proxy", setting: "proxyHeader" },
  { way: "proxy", setting: "proxyJwksUrl" },
  { way: "proxy", setting: "proxyIssuer" },
  { way: "proxy", setting: "proxyAudience" }
] as const

// A setting with a wrong value is neither: it is reported already.
const isGiven = (value: unknown): boolean => Option.isOption(value) && Option.isSome(value)
const isAbsent = (value: unknown): boolean => Option.isOption(value) && Option.isNone(value)
