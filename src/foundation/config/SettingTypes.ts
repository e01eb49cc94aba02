import { Config, type DateTime, Duration, type LogLevel, Option, Redacted, Schema, Struct } from "effect"
import { availableParallelism } from "node:os"
import { Instant } from "../../domain/Instant.ts"
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

/** Reads a setting under its name. */
interface Read<A> {
  (name: string): Config.Config<A>
  /** As in `Setting`: whether something is a secret follows from how it is read. */
  readonly shown?: (value: string) => string
}

/** A setting: how docs/operations/settings.md lists it, and how it is read. */
export const setting = <A>(
  subject: Subject,
  name: string,
  about: Pick<Setting, "unit" | "default" | "meaning">,
  read: Read<A>
) => ({
  subject,
  name,
  ...about,
  shown: read.shown,
  config: read(name)
})

const secretly = <A>(
  read: (name: string) => Config.Config<A>,
  hostOf: (value: string) => string = () => ""
): Read<A> => Object.assign(read, { shown: (value: string) => `(hidden) ${hostOf(value)}`.trimEnd() })

export const text = (fallback: string): Read<string> => (name) =>
  Config.NonEmptyString(name).pipe(Config.withDefault(fallback))

export const optionalText: Read<Option.Option<string>> = (name) => Config.option(Config.NonEmptyString(name))

/** A mail address, with the name of its owner or without (RFC 5322 §3.4); a name with a comma is in quotes. */
export const mailbox = (fallback: string): Read<string> => (name) =>
  Config.map(checked(name, (value) => mailboxText.test(value)), Option.getOrElse(() => fallback))

const mailboxText =
  /^(?:(?:"(?:[^"\\\p{Cc}]|\\\P{Cc})*" *|[^"<>()[\],;:@\\\p{Cc}]*)<[^\s<>,;:@]+@[^\s<>,;:@]+>|[^\s<>,;:@]+@[^\s<>,;:@]+)$/u

/** A bare mail address (RFC 5322 §3.4.1), as it stands in the text of a mail. */
export const optionalAddress: Read<Option.Option<string>> = (name) =>
  checked(name, (value) => /^[^\s<>,;:@]+@[^\s<>,;:@]+$/.test(value))

/** Name of a header of HTTP, in lower case (RFC 9110 §5.1). */
export const headerName: Read<Option.Option<string>> = (name) =>
  Config.map(
    checked(name, (value) => /^[\w!#$%&'*+.^`|~-]+$/.test(value)),
    Option.map((value) => value.toLowerCase())
  )

export const maxPort = 65_535

/** A TCP port; 0 has the system choose one. */
export const port = (fallback: number): Read<number> => integer(fallback, 0, maxPort)

export const optionalPort: Read<Option.Option<number>> = (name) => Config.option(whole(name, 0, maxPort))

export const integer = (fallback: number, minimum: number, maximum: number): Read<number> => (name) =>
  Config.withDefault(whole(name, minimum, maximum), fallback)

const whole = (name: string, minimum: number, maximum: number) =>
  Config.schema(Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name)

/** A number of processes; `auto` is as many as this process may use cores of the machine. */
export const processes = (maximum: number): Read<"auto" | number> => (name) =>
  Config.orElse(Config.Literals(["auto"], name), () => whole(name, 1, maximum)).pipe(Config.withDefault(1))

/** Cores that this process may use: those of its container or its affinity, where one limits it. */
export const cores = availableParallelism

export const duration =
  (fallback: Duration.Input, min: Duration.Input, max: Duration.Input): Read<Duration.Duration> => (name) =>
    Config.withDefault(durationBetween(name, min, max), Duration.fromInputUnsafe(fallback))

export const optionalDuration =
  (min: Duration.Input, max: Duration.Input): Read<Option.Option<Duration.Duration>> => (name) =>
    Config.option(durationBetween(name, min, max))

const durationBetween = (name: string, min: Duration.Input, max: Duration.Input) => {
  const bounds = { minimum: Duration.fromInputUnsafe(min), maximum: Duration.fromInputUnsafe(max) }
  return Config.schema(Schema.DurationFromString.check(Schema.makeFilter(Duration.between(bounds))), name)
}

/** A time at which something ends or begins by itself. */
export const instant: Read<Option.Option<DateTime.Utc>> = (name) => Config.option(Config.schema(Instant, name))

/** Words of the field for Effect's levels. */
const logLevels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

export const logLevel = (fallback: keyof typeof logLevels): Read<LogLevel.LogLevel> => (name) =>
  Config.Literals(Struct.keys(logLevels), name).pipe(
    Config.withDefault(fallback),
    Config.map((word) => logLevels[word])
  )

/** Words separated by spaces, commas or both. */
export const words = (...fallback: ReadonlyArray<string>): Read<ReadonlySet<string>> => (name) =>
  Config.String(name).pipe(
    Config.withDefault(fallback.join(" ")),
    Config.map((text) => new Set(splitWords(text)))
  )

/** One or several of these words, separated by spaces, commas or both. */
export const someOf = <const A extends string>(
  values: ReadonlyArray<A>,
  fallback: NoInfer<A>
): Read<ReadonlySet<A>> =>
(name) => {
  const known = new Set<string>(values)
  return Config.map(
    checked(name, (text) => splitWords(text).length > 0 && splitWords(text).every((word) => known.has(word))),
    Option.match({
      onNone: () => new Set([fallback]),
      onSome: (text) => new Set(values.filter((value) => splitWords(text).includes(value)))
    })
  )
}

/** Private-use schemes without a dot, separated by spaces, commas or both: none that a browser runs, opens or sends. */
export const schemes: Read<ReadonlySet<string>> = (name) =>
  Config.map(
    checked(name, (text) => splitWords(text).every(isShortScheme)),
    (text) => new Set(splitWords(Option.getOrElse(text, () => "")))
  )

const splitWords = (text: string) => text.split(/[ ,]+/).filter((word) => word !== "")

/** Pairs as `key=value,key=value` whose keys are of a list; `defaults` has what holds where a key is not named. */
export const mapping = <const K extends string>(
  keys: ReadonlyArray<K>,
  defaults: Readonly<Partial<Record<K, string>>>
): Read<Readonly<Partial<Record<K, string>>>> => {
  const Mapping = Schema.Record(Schema.Literals(keys), Schema.optionalKey(Schema.String))
  const decode = Schema.decodeUnknownOption(Mapping, { onExcessProperty: "error" })
  const parse = (text: string) => Option.flatMap(parsePairs(text), (pairs) => decode(pairs))
  return (name) =>
    Config.map(
      checked(name, (text) => Option.isSome(parse(text))),
      (text) => ({ ...defaults, ...Option.getOrUndefined(Option.flatMap(text, parse)) })
    )
}

/** A claim and the value it must have, as `claim=value`. */
export const claimValue: Read<Option.Option<{ readonly claim: string; readonly value: string }>> = (name) => {
  const parse = (text: string) => /^([^=\s]+)=(.+)$/.exec(text.trim())
  return Config.map(
    checked(name, (value) => parse(value) !== null),
    Option.flatMap((text) => {
      const [, claim, value] = parse(text) ?? []
      return claim === undefined || value === undefined ? Option.none() : Option.some({ claim, value })
    })
  )
}

/** A secret with this minimum of characters. */
export const secret = (length: number): Read<Option.Option<Redacted.Redacted>> =>
  secretly((name) =>
    Config.map(
      checked(name, (value) => value.length >= length),
      Option.map((value) => Redacted.make(value, { label: name }))
    )
  )

/**
 * A key of text, or two with a comma between them while one takes the other's place; each with this minimum of
 * characters.
 */
export const keyPair = (
  length: number
): Read<Option.Option<readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]>> => {
  const parse = (value: string) => value.split(",").map((key) => key.trim())
  return secretly((name) =>
    Config.map(
      checked(name, (value) => parse(value).length <= 2 && parse(value).every((key) => key.length >= length)),
      Option.map((value) => {
        const [first = "", ...rest] = parse(value)
        const redact = (key: string) => Redacted.make(key, { label: name })
        return [redact(first), ...rest.map(redact)] as const
      })
    )
  )
}

/** A key of 32 bytes in base64, in either alphabet. */
export const keyBytes: Read<Option.Option<Redacted.Redacted<Uint8Array>>> = secretly((name) =>
  Config.map(
    checked(name, (value) => Buffer.from(value, "base64url").length === 32),
    Option.map((value) => Redacted.make<Uint8Array>(Buffer.from(value, "base64url"), { label: name }))
  )
)

/** Address of a server with one of these protocols; redacted, because it may hold a password. */
export const serverUrl = (...protocols: ReadonlyArray<string>): Read<Option.Option<Redacted.Redacted>> =>
  secretly(
    (name) =>
      Config.map(
        checked(name, (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)),
        Option.map((value) => Redacted.make(value))
      ),
    (value) => URL.canParse(value) ? new URL(value).host : ""
  )

/** Address of a database on one or several hosts. */
export const databaseAddress: Read<Option.Option<DatabaseAddress.DatabaseAddress>> = secretly(
  (name) =>
    Config.map(
      checked(name, (value) => Option.isSome(DatabaseAddress.parse(value))),
      Option.flatMap(DatabaseAddress.parse)
    ),
  (value) => Option.toArray(DatabaseAddress.parse(value)).flat().map(({ name }) => name).join(",")
)

/** Servers as `host:port`, separated by commas; without a port, it is this one. */
export const hostList =
  (defaultPort: string): Read<Option.Option<ReadonlyArray<{ readonly host: string; readonly port: number }>>> =>
  (name) => {
    const parse = (entry: string) => {
      const address = `tcp://${entry.trim()}`
      if (!URL.canParse(address)) return undefined
      const { host, hostname, port } = new URL(address)
      // Nothing else may stand in an entry: no user, no path.
      if (hostname === "" || host !== entry.trim()) return undefined
      return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || defaultPort) }
    }
    return Config.map(
      checked(name, (value) => value.split(",").every((entry) => parse(entry) !== undefined)),
      Option.map((value) => value.split(",").flatMap((entry) => parse(entry) ?? []))
    )
  }

/** A base address of our own: paths are appended to it. */
export const baseUrl: Read<Option.Option<string>> = (name) =>
  checked(name, (value) => {
    if (!isSecureUrl(value) || value.endsWith("/")) return false
    const { hash, pathname, search } = new URL(value)
    return search === "" && hash === "" && !pathname.endsWith("//")
  })

/** Address of a service that speaks HTTP, inside the operator's network or elsewhere; no credentials in it. */
export const httpUrl: Read<Option.Option<URL>> = (name) =>
  Config.map(
    checked(name, (value) => {
      if (!URL.canParse(value)) return false
      const { password, protocol, username } = new URL(value)
      return (protocol === "https:" || protocol === "http:") && username === "" && password === ""
    }),
    Option.map((value) => new URL(value))
  )

/** Pairs as `name=value,name=value`, each percent-encoded where it must be: the form of OpenTelemetry's variables. */
export const pairs: Read<Option.Option<Readonly<Record<string, string>>>> = (name) =>
  Config.map(
    checked(name, (value) => Option.isSome(parsePairs(value))),
    Option.flatMap(parsePairs)
  )

/** Headers of HTTP in the same form; redacted, because one of them may be a key. */
export const headers: Read<Option.Option<Redacted.Redacted<Readonly<Record<string, string>>>>> = secretly((name) =>
  Config.map(
    checked(name, (value) => Option.exists(parsePairs(value), areHeaders)),
    (value) => Option.map(Option.flatMap(value, parsePairs), (pairs) => Redacted.make(pairs, { label: name }))
  )
)

/** A whole number of milliseconds, without a unit: the form of OpenTelemetry's variables. */
export const milliseconds = (fallback: number, minimum: number, maximum: number): Read<Duration.Duration> => (name) =>
  Config.map(integer(fallback, minimum, maximum)(name), Duration.millis)

/** A number from 0 to 1. */
export const share = (fallback: number): Read<number> => (name) =>
  Config.schema(Schema.NumberFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })), name).pipe(
    Config.withDefault(fallback)
  )

export const oneOf = <const A extends readonly [string, ...Array<string>]>(
  values: A,
  fallback: A[number]
): Read<A[number]> =>
(name) => Config.Literals(values, name).pipe(Config.withDefault(fallback))

/** Address of a service that learns or proves something: nobody on the way may read or change it. */
export const secureUrl: Read<Option.Option<string>> = (name) => checked(name, isSecureUrl)

const checked = (name: string, isValid: (value: string) => boolean): Config.Config<Option.Option<string>> =>
  Config.option(Config.schema(Schema.String.check(Schema.makeFilter(isValid)), name))

const parsePairs = (value: string): Option.Option<Readonly<Record<string, string>>> => {
  const entries = value.split(",").map((entry) => /^\s*([^=\s]+)\s*=(.*)$/.exec(entry)?.slice(1))
  try {
    return Option.some(Object.fromEntries(entries.map((entry) => {
      if (entry === undefined) throw new URIError("not a pair")
      return entry.map((text) => decodeURIComponent(text.trim()))
    })))
  } catch {
    return Option.none()
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
