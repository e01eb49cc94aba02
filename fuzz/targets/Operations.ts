import { Effect, Predicate } from "effect"
import { resourceServerBearer } from "../../src/doors/oauth/clientAuthentication/ResourceServerBearer.ts"
import { document, type Operation, operations } from "../../test/doors/contract/Fixture.ts"
import type { Attempt } from "../Attempt.ts"
import type { Dice } from "../Dice.ts"
import { isSecret, known } from "../KnownValues.ts"
import type { Target } from "../Target.ts"
import { nearby, strangeJson, strangeText } from "../Values.ts"
import type { App, World } from "../World.ts"

/** Every operation of the contract: right requests by its schemas, and requests with something wrong in them. */
export const targets: ReadonlyArray<Target> = operations.map((operation) => ({
  name: operation.name,
  turn: Effect.fnUntraced(function*(attempt, world, dice) {
    yield* attempt(yield* attemptAt(operation, world, dice))
  })
}))

const attemptAt = Effect.fnUntraced(function*(operation: Operation, world: World, dice: Dice) {
  const app = dice.pick(world.apps)
  const mistakes = dice.chance(0.3) ? 0 : 0.25
  const secrets: Array<string> = []
  const text = Effect.fnUntraced(function*(name: string) {
    const right = name === "id" && operation.path.startsWith("/v2/admin/resources/")
      ? world.resource.id
      : name === "id" && operation.path.startsWith("/v2/admin/initial-tokens/")
      ? world.initialToken.id
      : (yield* known(name, app, world, dice)) ?? strangeText(dice)
    const value = dice.chance(mistakes) ? nearby(dice, right) : right
    if (isSecret(name)) secrets.push(value)
    return value
  })
  const place = yield* placeOf(operation, dice, mistakes, text)
  const { body, type } = yield* bodyOf(operation, dice, mistakes, text)
  const { headers, signedIn } = credentials(operation, app, world, dice)
  return {
    target: routeOf(operation),
    operation: operation.name,
    method: operation.method.toUpperCase(),
    path: place.path,
    headers: {
      ...headers,
      ...place.headers,
      ...(type === undefined ? {} : { "content-type": type }),
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) })
    },
    ...(body === undefined ? {} : { body }),
    secrets,
    signedIn
  } satisfies Attempt
})

/** Route of an operation: the contract describes one for any method and any path by several operations. */
export const routeOf = ({ name }: Operation): string =>
  name.includes("/auth/oauth2/check/")
    ? name.replace(/^\w+/, "*").replace("{call}", "*")
    : name.replaceAll(/\{(\w+)\}/g, ":$1")

type Text<E = never, R = Effect.Services<ReturnType<typeof known>>> = (name: string) => Effect.Effect<string, E, R>

const placeOf = Effect.fnUntraced(
  function*({ operation, path }: Operation, dice: Dice, mistakes: number, text: Text) {
    const query = new URLSearchParams()
    const headers: Record<string, string> = {}
    let filled: string = path
    for (const parameter of operation.parameters ?? []) {
      const value = yield* text(parameter.name)
      // A query parameter and a header may be absent, and a query parameter may be repeated.
      if (parameter.in === "path") filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(whole(value)))
      else if (dice.chance(mistakes)) continue
      else if (parameter.in === "query") query.append(parameter.name, value)
      else headers[parameter.name] = headerText(value)
      if (parameter.in === "query" && dice.chance(mistakes / 4)) query.append(parameter.name, value)
    }
    return { path: query.size === 0 ? filled : `${filled}?${query}`, headers }
  }
)

const bodyOf = Effect.fnUntraced(function*({ operation }: Operation, dice: Dice, mistakes: number, text: Text) {
  const types = Object.entries(operation.requestBody?.content ?? {})
  const [type, content] = dice.pickAny(types) ?? []
  if (type === undefined) return { body: undefined, type: undefined }
  const value = yield* valueOf(content?.schema, "", text, dice, mistakes)
  const sent = dice.chance(mistakes / 4)
    ? dice.pick(["text/plain", "application/xml", "application/json; charset=x"])
    : type
  const json = JSON.stringify(value)
  if (type === "application/json") {
    return { body: dice.chance(mistakes / 4) ? nearby(dice, json) : json, type: sent }
  }
  const form = new URLSearchParams()
  for (const [name, field] of Object.entries(Predicate.isObject(value) ? value : {})) {
    form.append(name, typeof field === "string" ? field : JSON.stringify(field) ?? "")
    if (dice.chance(mistakes / 4)) form.append(name, "again")
  }
  return { body: dice.chance(mistakes / 4) ? nearby(dice, String(form)) : String(form), type: sent }
})

/** A value for a JSON schema, with a mistake here and there. */
const valueOf = (
  schema: unknown,
  name: string,
  text: Text,
  dice: Dice,
  mistakes: number
): Effect.Effect<unknown, never, Effect.Services<ReturnType<Text>>> =>
  Effect.gen(function*() {
    const right = yield* rightValueOf(resolved(schema), name, text, dice, mistakes)
    return dice.chance(mistakes / 4) ? strangeJson(dice, right) : right
  })

const rightValueOf = Effect.fnUntraced(function*(
  schema: Readonly<Record<string, unknown>>,
  name: string,
  text: Text,
  dice: Dice,
  mistakes: number
): Effect.fn.Return<unknown, never, Effect.Services<ReturnType<Text>>> {
  const choices = schema["enum"] ?? schema["anyOf"]
  if (Array.isArray(choices)) {
    const choice: unknown = dice.pickAny(choices)
    return schema["enum"] === undefined ? yield* valueOf(choice, name, text, dice, mistakes) : choice
  }
  switch (schema["type"]) {
    case "object": {
      const object: Record<string, unknown> = {}
      const required = Array.isArray(schema["required"]) ? schema["required"] : []
      for (const [key, property] of Object.entries(resolved(schema["properties"]))) {
        const isLeftOut = required.includes(key) ? dice.chance(mistakes / 4) : dice.chance(0.3)
        if (!isLeftOut) object[key] = yield* valueOf(property, key, text, dice, mistakes)
      }
      if (dice.chance(mistakes / 4)) object[strangeText(dice)] = strangeText(dice)
      return object
    }
    case "array": {
      const items: Array<unknown> = []
      for (let left = 1 + dice.below(3); left > 0; left--) {
        items.push(yield* valueOf(schema["items"], name, text, dice, mistakes))
      }
      return items
    }
    case "integer":
    case "number":
      return Number(yield* text(name))
    case "boolean":
      return dice.chance(0.5)
    case "null":
      return null
    default:
      return yield* text(name)
  }
})

const resolved = (schema: unknown): Readonly<Record<string, unknown>> => {
  if (!Predicate.isObject(schema)) return {}
  const reference = "$ref" in schema ? schema.$ref : undefined
  if (typeof reference !== "string") return { ...schema }
  const name = reference.replace("#/components/schemas/", "")
  return resolved(Object.entries(document.components.schemas).find(([key]) => key === name)?.[1])
}

/** Credentials that the operation takes, mostly right ones. */
const credentials = ({ method, operation }: Operation, app: App, world: World, dice: Dice) => {
  const [scheme = ""] = Object.keys(dice.pickAny(operation.security ?? []) ?? {})
  const person = dice.pick([world.developer, world.admin])
  const right = bearerOf(scheme, app, { apiKey: person.apiKey, reporter: world.reporter.credential })
  if (dice.chance(0.1)) {
    const wrong = dice.pick([nearby(dice, right), "Bearer", "Basic !", `Bearer ${strangeText(dice)}`, ""])
    return { headers: { authorization: headerText(wrong) }, signedIn: false }
  }
  if (scheme !== "session") return { headers: right === "" ? {} : { authorization: right }, signedIn: false }
  const csrf = method === "get" || dice.chance(0.1) ? {} : { "x-csrf-token": person.csrf }
  return { headers: { cookie: person.cookie, ...csrf }, signedIn: true }
}

const bearerOf = (scheme: string, app: App, of: { readonly apiKey: string; readonly reporter: string }): string => {
  switch (scheme) {
    case "apiKey":
      return `Bearer ${of.apiKey}`
    case resourceServerBearer.securityScheme.name:
      return `Bearer ${of.reporter}`
    case "slotkey":
      return `Bearer ${app.accessToken}`
    case "client":
      return `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString("base64")}`
    default:
      return ""
  }
}

/** Text as far as a header may carry it; the target `Bytes` sends the rest. */
const headerText = (text: string): string => text.replaceAll(/[^\t\x20-\x7E]/g, "?").slice(0, 4_000)

/** Text without halves of surrogate pairs, which no address can carry. */
const whole = (text: string): string => text.toWellFormed().slice(0, 2_000)
