import { Config, type DateTime, Duration, type LogLevel, Option, Redacted, Schema, Struct } from "effect"
import { availableParallelism } from "node:os"
import { Instant } from "../../domain/Instant.ts"
import { oneOf as listed } from "../../domain/Listed.ts"
import { isMailAddress, isMailbox } from "../../domain/Mailbox.ts"
import { isShortScheme } from "../../domain/PrivateScheme.ts"
import * as DatabaseAddress from "./DatabaseAddress.ts"
import type { Subject } from "./SettingSubjects.ts"

/** A setting as docs/operations/settings.md lists it. */
export interface Setting {
  readonly subject: Subject
  readonly name: string
  readonly unit: string
  readonly default: string
  readonly meaning: string
  /** What of a value may be shown; there for a secret alone, which a file may hold as well. */
  readonly shown: ((value: string) => string) | undefined
}

/** How a setting is read, and what of a `Setting` follows from that: whether something is a secret, for instance. */
interface Read<A> extends Partial<Pick<Setting, "default" | "shown">>, Pick<Setting, "unit"> {
  /** Reads it under its name. */
  readonly from: (name: string) => Config.Config<A>
}

/** A setting: how docs/operations/settings.md lists it, and how it is read. */
export const setting = <A>(
  subject: Subject,
  name: string,
  { from, ...read }: Read<A>,
  about: Pick<Setting, "meaning"> & Partial<Pick<Setting, "default" | "unit">>
) => ({
  subject,
  name,
  default: "none",
  shown: undefined,
  ...read,
  ...about,
  config: from(name)
})

const secretly = <A>(read: Read<A>, hostOf: (value: string) => string = () => ""): Read<A> => ({
  ...read,
  shown: (value) => `(hidden) ${hostOf(value)}`.trimEnd()
})

export const text = (unit: string, fallback: string): Read<string> => ({
  unit,
  default: fallback,
  from: (name) => Config.NonEmptyString(name).pipe(Config.withDefault(fallback))
})

export const optionalFile: Read<Option.Option<string>> = {
  unit: "path of a file",
  from: (name) => Config.option(Config.NonEmptyString(name))
}

export const optionalText: Read<Option.Option<string>> = {
  unit: "text",
  from: (name) => Config.option(Config.NonEmptyString(name))
}

/** A mail address, with the name of its owner or without; a name with a comma is in quotes. */
export const optionalMailbox: Read<Option.Option<string>> = parsed(
  "mail address, with a name or without",
  (value) => isMailbox(value) ? value : undefined
)

/** A bare mail address, as it stands in the text of a mail. */
export const optionalAddress: Read<Option.Option<string>> = parsed(
  "mail address",
  (value) => isMailAddress(value) ? value : undefined
)

/** Name of a header of HTTP, in lower case (RFC 9110 §5.1). */
export const headerName: Read<Option.Option<string>> = parsed(
  "name of a header",
  (value) => /^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value.toLowerCase() : undefined
)

export const maxPort = 65_535

/** A TCP port; 0 has the system choose one. */
export const port = (fallback: number): Read<number> => ({
  ...integer("", fallback, 0, maxPort),
  unit: optionalPort.unit
})

export const optionalPort: Read<Option.Option<number>> = {
  unit: "TCP port, 0 for any that is free",
  from: (name) => Config.option(whole(name, 0, maxPort))
}

export const integer = (what: string, fallback: number, minimum: number, maximum: number): Read<number> => ({
  unit: `${what}, ${minimum} to ${maximum}`,
  default: String(fallback),
  from: (name) => Config.withDefault(whole(name, minimum, maximum), fallback)
})

const whole = (name: string, minimum: number, maximum: number) =>
  Config.schema(Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name)

/** A number of processes; `auto` is as many as this process may use cores of the machine. */
export const processes = (maximum: number): Read<"auto" | number> => ({
  unit: `number of processes, 1 to ${maximum}, or auto`,
  default: "1",
  from: (name) =>
    Config.orElse(Config.Literals(["auto"], name), () => whole(name, 1, maximum)).pipe(Config.withDefault(1))
})

/** Cores that this process may use: those of its container or its affinity, where one limits it. */
export const cores = availableParallelism

type Length = Extract<Duration.Input, string>

/** Without a maximum it may be as long as anybody wants. */
export const duration = (fallback: Length, min: Length, max?: Length): Read<Duration.Duration> => ({
  unit: durationUnit(min, max),
  default: fallback,
  from: (name) => Config.withDefault(durationBetween(name, min, max), Duration.fromInputUnsafe(fallback))
})

export const optionalDuration = (min: Length, max: Length): Read<Option.Option<Duration.Duration>> => ({
  unit: durationUnit(min, max),
  from: (name) => Config.option(durationBetween(name, min, max))
})

const durationUnit = (min: Length, max: Length | undefined) =>
  `duration, ${max === undefined ? `from ${min}` : `${min} to ${max}`}`

const durationBetween = (name: string, min: Length, max: Length = "36500 days") => {
  const bounds = { minimum: Duration.fromInputUnsafe(min), maximum: Duration.fromInputUnsafe(max) }
  return Config.schema(Schema.DurationFromString.check(Schema.makeFilter(Duration.between(bounds))), name)
}

/** A time at which something ends or begins by itself. */
export const instant: Read<Option.Option<DateTime.Utc>> = {
  unit: "instant such as 2026-11-21T02:30:00Z, or a day",
  from: (name) => Config.option(Config.schema(Instant, name))
}

/** Words of the field for Effect's levels. */
const logLevels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

export const logLevel = (fallback: keyof typeof logLevels): Read<LogLevel.LogLevel> => ({
  unit: listed(Struct.keys(logLevels)),
  default: fallback,
  from: (name) =>
    Config.Literals(Struct.keys(logLevels), name).pipe(
      Config.withDefault(fallback),
      Config.map((word) => logLevels[word])
    )
})

/** Words separated by spaces, commas or both. */
export const words = (...fallback: ReadonlyArray<string>): Read<ReadonlySet<string>> => ({
  unit: "words, separated by spaces or commas",
  default: fallback.join(" ") || "none",
  from: (name) =>
    Config.String(name).pipe(
      Config.withDefault(fallback.join(" ")),
      Config.map((text) => new Set(splitWords(text)))
    )
})

/** One or several of these words, separated by spaces, commas or both. */
export const someOf = <const A extends string>(
  values: ReadonlyArray<A>,
  fallback: NoInfer<A>
): Read<ReadonlySet<A>> => {
  const known = new Set<string>(values)
  const several = parsed(`${values.join(", ")}: one or several, separated by spaces or commas`, (text) => {
    const words = splitWords(text)
    const areKnown = words.length > 0 && words.every((word) => known.has(word))
    return areKnown ? new Set(values.filter((value) => words.includes(value))) : undefined
  })
  return withFallback(several, { text: fallback, value: new Set([fallback]) })
}

/** Private-use schemes without a dot, separated by spaces, commas or both: none that a browser runs, opens or sends. */
export const schemes: Read<ReadonlySet<string>> = withFallback(
  parsed(
    "private-use schemes without a dot, separated by spaces or commas; none that a browser runs, opens or sends",
    (text) => splitWords(text).every(isShortScheme) ? new Set(splitWords(text)) : undefined
  ),
  { text: "none", value: new Set() }
)

const splitWords = (text: string) => text.split(/[ ,]+/).filter((word) => word !== "")

/** Pairs as `key=value,key=value` whose keys are of a list; `defaults` has what holds where a key is not named. */
export const mapping = <const K extends string>(
  keys: ReadonlyArray<K>,
  defaults: Readonly<Partial<Record<K, string>>>
): Read<Readonly<Partial<Record<K, string>>>> => {
  const Mapping = Schema.Record(Schema.Literals(keys), Schema.optionalKey(Schema.String))
  const decode = Schema.decodeUnknownOption(Mapping, { onExcessProperty: "error" })
  const pairs = parsed("field=claim pairs, separated by commas, percent-encoded", (text) => {
    const given = Option.getOrUndefined(decode(parsePairs(text)))
    return given && { ...defaults, ...given }
  })
  return withFallback(pairs, {
    text: Object.entries(defaults).map(([key, value]) => `${key}=${value}`).join(","),
    value: defaults
  })
}

/** A claim and the value it must have, as `claim=value`. */
export const claimValue: Read<Option.Option<{ readonly claim: string; readonly value: string }>> = parsed(
  "claim=value",
  (text) => {
    const [, claim, value] = /^([^=\s]+)=(.+)$/.exec(text.trim()) ?? []
    return claim === undefined || value === undefined ? undefined : { claim, value }
  }
)

/** A secret with this minimum of characters. */
export const secret = (length: number): Read<Option.Option<Redacted.Redacted>> =>
  secretly(parsed(
    length === 1 ? "text" : `at least ${length} characters`,
    (value, name) => value.length < length ? undefined : Redacted.make(value, { label: name })
  ))

/**
 * A key of text, or two with a comma between them while one takes the other's place; each with this minimum of
 * characters.
 */
export const keyPair = (
  length: number
): Read<Option.Option<readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]>> =>
  secretly(parsed(
    `at least ${length} characters, or two keys of that length, separated by a comma`,
    (value, name) => {
      const [first = "", ...rest] = value.split(",").map((key) => key.trim())
      if (rest.length > 1 || [first, ...rest].some((key) => key.length < length)) return undefined
      const redact = (key: string) => Redacted.make(key, { label: name })
      return [redact(first), ...rest.map(redact)] as const
    }
  ))

/** A key of 32 bytes in base64, in either alphabet. */
export const keyBytes: Read<Option.Option<Redacted.Redacted<Uint8Array>>> = secretly(
  parsed("32 bytes in base64", (value, name) => {
    const bytes = Buffer.from(value, "base64url")
    return bytes.length === 32 ? Redacted.make<Uint8Array>(bytes, { label: name }) : undefined
  })
)

/** Address of a server with one of these protocols; redacted, because it may hold a password. */
export const serverUrl = (...protocols: ReadonlyArray<string>): Read<Option.Option<Redacted.Redacted>> =>
  secretly(
    parsed(
      `${listed(protocols.map((protocol) => `${protocol}//`))} address`,
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol) ? Redacted.make(value) : undefined
    ),
    (value) => URL.canParse(value) ? new URL(value).host : ""
  )

/** Address of a database on one or several hosts. */
export const databaseAddress: Read<Option.Option<DatabaseAddress.DatabaseAddress>> = secretly(
  parsed(
    "postgres:// address with one or several hosts, as libpq reads it",
    (value) => Option.getOrUndefined(DatabaseAddress.parse(value))
  ),
  (value) => Option.toArray(DatabaseAddress.parse(value)).flat().map(({ name }) => name).join(",")
)

/** Servers as `host:port`, separated by commas; without a port, it is this one. */
export const hostList = (defaultPort: string) =>
  parsed("host:port, separated by commas", (value) => {
    const hosts = value.split(",").map((entry) => {
      const address = `tcp://${entry.trim()}`
      if (!URL.canParse(address)) return undefined
      const { host, hostname, port } = new URL(address)
      // Nothing else may stand in an entry: no user, no path.
      if (hostname === "" || host !== entry.trim()) return undefined
      return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || defaultPort) }
    })
    return hosts.every((host) => host !== undefined) ? hosts : undefined
  })

/** A base address of our own: paths are appended to it. */
export const baseUrl = parsed("https address (http on loopback), no trailing slash", (value) => {
  if (!isSecureUrl(value) || value.endsWith("/")) return undefined
  const { hash, pathname, search } = new URL(value)
  return search === "" && hash === "" && !pathname.endsWith("//") ? value : undefined
})

/** Address of a service that speaks HTTP, inside the operator's network or elsewhere; no credentials in it. */
export const httpUrl = parsed("http:// or https:// address, without credentials", (value) => {
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  const isHttp = url.protocol === "https:" || url.protocol === "http:"
  return isHttp && url.username === "" && url.password === "" ? url : undefined
})

/** Pairs as `name=value,name=value`, each percent-encoded where it must be: the form of OpenTelemetry's variables. */
export const pairs = parsed("name=value pairs, separated by commas, percent-encoded", (value) => parsePairs(value))

/** Headers of HTTP in the same form; redacted, because one of them may be a key. */
export const headers = secretly(parsed(pairs.unit, (value, name) => {
  const given = parsePairs(value)
  return given !== undefined && areHeaders(given) ? Redacted.make(given, { label: name }) : undefined
}))

/** A whole number of milliseconds, without a unit: the form of OpenTelemetry's variables. */
export const milliseconds = (fallback: number, minimum: number, maximum: number): Read<Duration.Duration> => {
  const { from, ...read } = integer("milliseconds", fallback, minimum, maximum)
  return { ...read, from: (name) => Config.map(from(name), Duration.millis) }
}

/** A number from 0 to 1. */
export const share = (fallback: number): Read<number> => ({
  unit: "number, 0 to 1",
  default: String(fallback),
  from: (name) =>
    Config.schema(Schema.NumberFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })), name).pipe(
      Config.withDefault(fallback)
    )
})

export const oneOf = <const A extends readonly [string, ...Array<string>]>(
  values: A,
  fallback: A[number]
): Read<A[number]> => ({
  unit: listed(values),
  default: fallback,
  from: (name) => Config.Literals(values, name).pipe(Config.withDefault(fallback))
})

/** This word, or nothing. */
export const optionalWord = <const A extends string>(word: A): Read<Option.Option<A>> => ({
  unit: word,
  from: (name) => Config.option(Config.Literals([word], name))
})

/** Turns something on or off whose default follows from another setting. */
export const optionalSwitch: Read<Option.Option<"on" | "off">> = {
  unit: listed(["on", "off"]),
  from: (name) => Config.option(Config.Literals(["on", "off"], name))
}

/** Address of a service that learns or proves something: nobody on the way may read or change it. */
export const secureUrl = parsed("https address (http on loopback)", (value) => isSecureUrl(value) ? value : undefined)

/** A text of a form of its own; `parse` answers nothing for another one. */
function parsed<A>(unit: string, parse: (text: string, name: string) => A | undefined): Read<Option.Option<A>> {
  return {
    unit,
    from: (name) => {
      const read = (text: string) => Option.fromUndefinedOr(parse(text, name))
      const isValid = Schema.makeFilter((text: string) => Option.isSome(read(text)))
      return Config.map(Config.option(Config.schema(Schema.String.check(isValid), name)), Option.flatMap(read))
    }
  }
}

/** With a value in place of none, and how the table tells it. */
function withFallback<A>(
  { from, ...read }: Read<Option.Option<A>>,
  fallback: { readonly text: string; readonly value: A }
): Read<A> {
  return {
    ...read,
    default: fallback.text,
    from: (name) => Config.map(from(name), Option.getOrElse(() => fallback.value))
  }
}

const parsePairs = (value: string): Readonly<Record<string, string>> | undefined => {
  const entries = value.split(",").map((entry) => /^\s*([^=\s]+)\s*=(.*)$/.exec(entry)?.slice(1))
  try {
    return Object.fromEntries(entries.map((entry) => {
      if (entry === undefined) throw new URIError("not a pair")
      return entry.map((text) => decodeURIComponent(text.trim()))
    }))
  } catch {
    return undefined
  }
}

const areHeaders = (pairs: Readonly<Record<string, string>>): boolean => {
  try {
    new Headers(pairs)
    return true
  } catch {
    return false
  }
}

/** Accepts https, and http on this machine alone; no credentials in the address. */
const isSecureUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const { hostname, password, protocol, username } = new URL(value)
  const isLoopback = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]"
  return (protocol === "https:" || (protocol === "http:" && isLoopback)) && username === "" && password === ""
}
