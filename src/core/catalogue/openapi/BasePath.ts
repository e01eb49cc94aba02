import { Option, Schema } from "effect"
import { inQuotes } from "../../../domain/Text.ts"

/** Path below which a list of servers has its operations. */
export interface BasePath {
  /** Without a slash at its end; empty for the root. */
  readonly path: string
  /** Why it may be another one. */
  readonly problem?: string
}

/** Base path of the first server, as its variables are by default. No list of servers means the root. */
export const basePath = (servers: unknown = []): BasePath => {
  const decoded = decodeServers(servers)
  if (Option.isNone(decoded)) return { path: "", problem: `the servers are no list of addresses. ${sayPrefix}` }
  const addresses = decoded.value.flatMap(addressesOf)
  const paths = new Set<string>()
  for (const address of addresses) {
    const path = pathOf(address)
    if (path === undefined) {
      return { path: "", problem: `the base path in the address ${inQuotes(address)} is not known. ${sayPrefix}` }
    }
    paths.add(path)
  }
  const [first = "", ...others] = paths
  if (others.length === 0) return { path: first }
  return {
    path: first,
    problem: `the servers have several base paths, ${
      [...paths].map((path) => path === "" ? "/" : path).join(", ")
    }, of which the first was taken. ${sayPrefix}`
  }
}

const sayPrefix = "Say with --prefix what it is"

const Value = Schema.Union([Schema.String, Schema.Finite])

const Servers = Schema.Array(Schema.Struct({
  url: Schema.String,
  variables: Schema.optionalKey(Schema.Record(
    Schema.String,
    Schema.Struct({ default: Schema.optionalKey(Value), enum: Schema.optionalKey(Schema.Array(Value)) })
  ))
}))
const decodeServers = Schema.decodeUnknownOption(Servers)

/** Addresses of a server: by default, then with each other value of a variable. */
const addressesOf = ({ url, variables = {} }: typeof Servers.Type[number]): ReadonlyArray<string> => {
  const all = Object.entries(variables)
  const defaults = new Map(
    all.flatMap(([name, variable]) => variable.default === undefined ? [] : [[name, String(variable.default)]])
  )
  const filled = (name?: string, value?: string | number) =>
    url.replaceAll(
      /\{([^{}]*)\}/g,
      (whole, variable: string) => variable === name ? String(value) : defaults.get(variable) ?? whole
    )
  return [
    filled(),
    ...all.flatMap(([name, variable]) => (variable.enum ?? []).map((value) => filled(name, value)))
  ]
}

/** Path of an absolute or relative address; `undefined` where a variable without a value stands in it. */
const pathOf = (address: string): string | undefined => {
  const path = address.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, "")
  return /[{}]/.test(path) ? undefined : URL.parse(path, "https://api.invalid/")?.pathname.replace(/\/+$/, "")
}
