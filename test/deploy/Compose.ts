import { Schema } from "effect"
import { parse } from "yaml"
import { read } from "./Dockerfile.ts"

const Words = Schema.Array(Schema.String)

const Healthcheck = Schema.Struct({
  test: Words,
  interval: Schema.String,
  timeout: Schema.String,
  start_period: Schema.String,
  start_interval: Schema.String
})

const Service = Schema.Struct({
  build: Schema.optionalKey(Schema.String),
  image: Schema.String,
  init: Schema.optionalKey(Schema.Boolean),
  user: Schema.optionalKey(Schema.String),
  read_only: Schema.optionalKey(Schema.Boolean),
  tmpfs: Schema.optionalKey(Words),
  shm_size: Schema.optionalKey(Schema.String),
  cap_drop: Schema.optionalKey(Words),
  security_opt: Schema.optionalKey(Words),
  restart: Schema.String,
  stop_grace_period: Schema.optionalKey(Schema.String),
  stop_signal: Schema.optionalKey(Schema.String),
  entrypoint: Schema.optionalKey(Words),
  command: Schema.optionalKey(Words),
  env_file: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, required: Schema.Boolean }))),
  environment: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  volumes: Schema.optionalKey(Words),
  healthcheck: Healthcheck,
  depends_on: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ condition: Schema.String }))),
  networks: Words,
  ports: Schema.optionalKey(Words)
})

/** Fields whose names begin with `x-` hold what several services share; any other unknown field is a mistake. */
const File = Schema.Struct({
  name: Schema.String,
  "x-slotkey": Schema.Unknown,
  "x-server": Schema.Unknown,
  services: Schema.Record(Schema.String, Service),
  networks: Schema.Record(Schema.String, Schema.NullOr(Schema.Struct({ internal: Schema.Boolean }))),
  volumes: Schema.Record(Schema.String, Schema.Null)
})

/** The file docker-compose.yml as Docker reads it: merged, and with unknown fields refused. */
export const compose = Schema.decodeUnknownSync(File)(parse(read("docker-compose.yml"), { merge: true }), {
  onExcessProperty: "error"
})

export type Service = typeof Service.Type

/** Service with this name. */
export const service = (name: string): Service => {
  const found = compose.services[name]
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`)
  return found
}

/** Variables that a text takes from the environment of Compose, with what stands in for a missing one. */
export const variables = (text: string): ReadonlyArray<{ readonly name: string; readonly otherwise: string }> =>
  [...text.matchAll(/(?<!\$)\$\{(\w+)([^}]*)\}/g)].map(([, name = "", otherwise = ""]) => ({ name, otherwise }))

/** Text with its variables replaced, as Compose does it. */
export const interpolate = (text: string, given: Readonly<Record<string, string>>): string =>
  text.replaceAll(/(?<!\$)\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, fallback: string | undefined) => {
    const value = given[name] ?? fallback
    if (value === undefined) throw new Error(`docker-compose.yml needs ${name}`)
    return value
  }).replaceAll("$$", "$")
