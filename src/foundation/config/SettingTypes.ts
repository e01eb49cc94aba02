import { Config, Duration, Redacted, Schema } from "effect"

/** A setting as the README lists it. */
export interface Setting {
  readonly name: string
  readonly unit: string
  readonly default: string
  readonly meaning: string
}

/** A setting: how the README lists it, and how it is read under its name. */
export const setting = <A>(
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
export const baseUrl = (name: string) => Config.option(Config.schema(BaseUrl, name))

const between = (min: Duration.Input, max: Duration.Input) => (name: string) =>
  Config.schema(
    Schema.DurationFromString.check(Schema.makeFilter((duration) =>
      Duration.isGreaterThanOrEqualTo(duration, Duration.fromInputUnsafe(min)) &&
      Duration.isLessThanOrEqualTo(duration, Duration.fromInputUnsafe(max))
    )),
    name
  )
export const duration = (fallback: Duration.Input, min: Duration.Input, max: Duration.Input) => (name: string) =>
  between(min, max)(name).pipe(Config.withDefault(Duration.fromInputUnsafe(fallback)))

const Key = Schema.String.check(Schema.makeFilter((text) => Buffer.from(text, "base64url").length === 32))
export const keyBytes = (name: string) =>
  Config.option(Config.map(
    Config.schema(Key, name),
    (text) => Redacted.make<Uint8Array>(Buffer.from(text, "base64url"), { label: name })
  ))
export const serverUrl = (...protocols: ReadonlyArray<string>) => (name: string) =>
  Config.option(Config.map(
    Config.schema(
      Schema.String.check(
        Schema.makeFilter((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol))
      ),
      name
    ),
    (text) => Redacted.make(text)
  ))

export const webhookUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const { hostname, password, protocol, username } = new URL(value)
  const loopback = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]"
  return (protocol === "https:" || (protocol === "http:" && loopback)) && username === "" && password === ""
}
export const secret = (length: number) => (name: string) =>
  Config.option(Config.map(
    Config.schema(Schema.String.check(Schema.isMinLength(length)), name),
    (text) => Redacted.make(text, { label: name })
  ))
export const integer = (fallback: number, minimum: number, maximum: number) => (name: string) =>
  Config.schema(Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name).pipe(
    Config.withDefault(fallback)
  )
