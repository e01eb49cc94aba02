import { Effect, Redacted } from "effect"
import { type HTMLElement, parse } from "node-html-parser"
import * as Credential from "../../src/domain/Credential.ts"
import type { Answer, Attempt } from "../Attempt.ts"
import type { Dice } from "../Dice.ts"
import type { Findings } from "../Findings.ts"
import { isSecret, known } from "../KnownValues.ts"
import type { Target, Try } from "../Target.ts"
import { nearby, strangeText } from "../Values.ts"
import type { App, Person, World } from "../World.ts"

/**
 * Pages as somebody who is signed in uses them: opens one, fills in a form that it has, and goes on with the page that
 * answers. The forms are those of the HTML, so a new one is fuzzed as soon as a page shows it.
 */
export const target = (routes: ReadonlyArray<string>, findings: Findings): Target => {
  const pages = routes.flatMap((route) =>
    /^GET (?!\/v2\/(?!auth\/)|\/\.well-known\/)/.test(route) ? [route.slice(4)] : []
  )
  const routeOf = routeFinder(routes)
  let turns = 0
  return {
    name: "forms",
    turn: Effect.fnUntraced(function*(attempt, world, dice) {
      turns++
      const missed = findings.missed(routes)
      const aim = dice.chance(0.5) ? missed[turns % missed.length] : undefined
      const route = aim === undefined ? pages[turns % pages.length] ?? "/" : nearest(pages, aim)
      const person = visitor(route, world, dice)
      const cookies = new Map(person === undefined ? [] : [cookieOf(person.cookie)])
      const visit: Visit = {
        attempt,
        world,
        dice,
        findings,
        routeOf,
        aim,
        // Only an approved app gets as far as the consent page, and only the first one has co-owners.
        app: /authorize|\/owners/.test(route) && dice.chance(0.7) ? world.apps[0] : dice.pick(world.apps),
        person,
        cookies,
        taken: new Map(),
        mistakes: aim !== undefined || dice.chance(0.5) ? 0 : 0.2
      }
      if (route === "/setup" && dice.chance(0.5)) return yield* Effect.asVoid(send(visit, yield* setup(visit)))
      let page = yield* open(visit, yield* addressOf(route, visit))
      for (let steps = 0; page !== undefined && steps < 10; steps++) page = yield* goOn(visit, page)
    })
  }
}

/** Page whose address is most like the route's: its form is likely to be there. */
const nearest = (pages: ReadonlyArray<string>, route: string): string =>
  pages.toSorted((a, b) => likeness(b, route) - likeness(a, route) || a.length - b.length)[0] ?? "/"

/** How many segments the paths of two routes have in common at their beginning. */
const likeness = (a: string, b: string): number => {
  const [one, other] = [segmentsOf(a), segmentsOf(b)]
  const differs = one.findIndex((segment, index) => segment !== other[index])
  return differs === -1 ? one.length : differs
}

const segmentsOf = (route: string): ReadonlyArray<string> => route.slice(route.indexOf(" ") + 1).split("/")

/** Somebody for whom the page is: most of the time, the one who can do something there. */
const visitor = (route: string, { admin, developer }: World, dice: Dice): Person | undefined => {
  if (/^\/(sign-in|setup|docs)?$/.test(route) || dice.chance(0.03)) return undefined
  const [likely, other] = /^\/(resources|review|users)/.test(route) ? [admin, developer] : [developer, admin]
  return dice.chance(0.9) ? likely : other
}

/** Signs out the browser of a person. */
export const signOut = (person: Person): Attempt => ({
  target: "POST /sign-out",
  ...formRequest("/sign-out", `csrf=${person.csrf}`, new Map([cookieOf(person.cookie)]), "same-origin"),
  secrets: [],
  signedIn: false
})

interface Visit {
  readonly attempt: Try
  readonly world: World
  readonly dice: Dice
  readonly app: App
  /** Nobody is signed in if this is missing. */
  readonly person: Person | undefined
  /** Probability of a mistake in a value; people who make none get further. */
  readonly mistakes: number
  /** Route to be reached, if there is one. */
  readonly aim: string | undefined
  readonly routeOf: (method: string, path: string) => string
  readonly findings: Findings
  /** How often each route was taken, so that no visit goes round and round. */
  readonly taken: Map<string, number>
  /** Cookies of the browser, as `name=value`: the session of the person, and what pages have set since. */
  readonly cookies: Cookies
}

type Cookies = Map<string, string>

interface Page {
  readonly path: string
  readonly html: string
}

/** Address of a page with its parameters filled in, some of them wrongly. */
const addressOf = Effect.fnUntraced(function*(route: string, { app, dice, mistakes, world }: Visit) {
  const text = Effect.fnUntraced(function*(name: string) {
    const here = name === "token"
      ? yield* world.mailed(route)
      : route.startsWith("/users/:id")
      ? users[name]
      : route.startsWith("/auth/oauth2/waiting/")
      ? waiting[name]
      : route.startsWith("/resources/:id") && name === "id"
      ? world.resource.id
      : undefined
    const right = here ?? (yield* known(name, app, world, dice)) ?? strangeText(dice)
    return dice.chance(mistakes) ? nearby(dice, right) : right
  })
  const waiting: Readonly<Record<string, string | undefined>> = { id: dice.pickAny(world.waiting) }
  const users: Readonly<Record<string, string>> = { id: dice.pick([world.other, world.disabled]).id }
  let path = route
  for (const [parameter, name = ""] of route.matchAll(/:(\w+)/g)) {
    path = path.replace(parameter, encodeURIComponent((yield* text(name)).toWellFormed().slice(0, 2_000)))
  }
  const query = new URLSearchParams()
  for (const name of parametersOf[route] ?? []) {
    if (name === chosenApp) query.append(`${name}${app.id}`, "1")
    else if (!dice.chance(mistakes)) query.append(name, yield* text(name))
    if (dice.chance(mistakes / 4)) query.append(name, strangeText(dice))
  }
  if (dice.chance(0.05)) {
    query.append(dice.pick(["done", "return_to", "page", "state", "token", "__proto__"]), strangeText(dice))
  }
  return query.size === 0 ? path : `${path}?${query}`
})

/** Beginning of the name of a box that chooses an app. */
const chosenApp = "app:"

/** Parameters that make a page show its form. */
const parametersOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/auth/oauth2/authorize": ["client_id", "redirect_uri", "scope", "state", "code_challenge", "resource"],
  "/auth/oauth2/report": ["client_id", "return_to"],
  "/confirm-address": ["token"],
  "/connections": ["search", "show", "sort", "page"],
  "/connections/disconnect": ["client_id", "grant", "all", "search", "page"],
  "/invitation": ["token"],
  "/playground": ["app"],
  "/reset-password": ["token"],
  "/review": ["state", "search", "risk", "area", "claimed", "sort", "page"],
  "/review/chosen": [chosenApp],
  "/review/references": ["reference"],
  "/review/unused": ["page"],
  "/settings/apps/:id/activity": ["reference", "error", "endpoint", "cursor", "need"],
  "/settings/apps/:id/events": ["show"],
  "/settings/apps/new": ["draft"],
  "/settings/apps/new/addresses": ["draft"],
  "/settings/apps/new/scopes": ["draft", "q"],
  "/setup": ["token"],
  "/users/:id/role": ["role"]
}

/** Opens a page as a browser does: redirects on this server are followed. */
const open = Effect.fnUntraced(
  function*(visit: Visit, path: string, redirects = 0): Effect.fn.Return<Page | undefined> {
    const { attempt, cookies, person, routeOf } = visit
    const answer = yield* attempt({
      target: routeOf("GET", path),
      method: "GET",
      path: asciiPath(path),
      headers: cookieHeader(cookies),
      secrets: [],
      signedIn: person !== undefined
    })
    keepCookies(visit, answer)
    const next = redirects < 5 ? localPath(answer?.headers["location"], path) : undefined
    return next === undefined ? pageOf(path, answer) : yield* open(visit, next, redirects + 1)
  }
)

/** Sends one of the page's forms or follows a link, and answers the page that the browser shows next. */
const goOn = Effect.fnUntraced(function*(visit: Visit, page: Page) {
  const { aim, dice, findings, routeOf, taken } = visit
  const content = parse(page.html)
  const ways = content.querySelectorAll("form, main a, form [formaction]").flatMap((found) => {
    const way = found.tagName === "BUTTON" ? found.closest("form") : found
    if (way === null) return []
    const address = found.getAttribute("formaction") ?? way.getAttribute("action") ?? way.getAttribute("href")
    const path = localPath(address ?? page.path, page.path)
    if (path === undefined || path === "/sign-out" || isAboutFuzzers(path, visit)) return []
    const method = way.getAttribute("method") === "post" ? "POST" : "GET"
    const route = routeOf(method, path)
    const aimed = aim === undefined ? 0 : likeness(route, aim)
    const times = taken.get(route) ?? 0
    // Links lead everywhere: somebody who aims at something fills in what is asked of them.
    const isAside = aim !== undefined && method !== "POST"
    return [{ way, path, method, route, aimed, isAside, times, successes: findings.successes(route) }]
  })
  // What leads to the aim comes first most of the time, then what was rarely done with success, so that a short run
  // reaches everything.
  const chosen = dice.chance(aim === undefined ? 0.7 : 0.9)
    ? ways.toSorted((a, b) =>
      a.times - b.times || b.aimed - a.aimed || Number(a.isAside) - Number(b.isAside) || a.successes - b.successes
    )[0]
    : dice.pickAny(ways)
  if (chosen === undefined) return undefined
  const { method, path, route, times, way } = chosen
  taken.set(route, times + 1)
  if (way.tagName === "A") return yield* open(visit, path)
  const { fields, secrets } = yield* fieldsOf(choicesOf(way), visit)
  return method === "POST"
    ? yield* send(visit, { action: path, fields, secrets })
    : yield* open(visit, `${path}?${fields}`)
})

/** Leads to the users who send the requests: to shut them out ends the run. */
const isAboutFuzzers = (path: string, { world: { admin, developer } }: Visit): boolean =>
  [admin, developer].some(({ account }) => path.startsWith(`/users/${account.id}`))

interface FilledForm {
  readonly action: string
  readonly fields: URLSearchParams
  readonly secrets: ReadonlyArray<string>
}

/** Sends a form, and opens the page that it leads to. */
const send = Effect.fnUntraced(function*(visit: Visit, { action, fields, secrets }: FilledForm) {
  const { attempt, cookies, dice, person, routeOf } = visit
  const answer = yield* attempt({
    target: routeOf("POST", action),
    ...formRequest(action, String(fields), cookies, dice.chance(0.02) ? "cross-site" : "same-origin"),
    secrets,
    signedIn: person !== undefined
  })
  keepCookies(visit, answer)
  const next = localPath(answer?.headers["location"], action)
  return next === undefined ? pageOf(action, answer) : yield* open(visit, next)
})

/** Form of the set-up page, which a server that has an administrator does not show. */
const setup = Effect.fnUntraced(function*(visit: Visit) {
  const token = yield* Credential.make("setup")
  const names = { token: [Redacted.value(token)], name: [""], email: [""], username: [""], password: [""] }
  return { action: "/setup", ...(yield* fieldsOf(names, visit)) }
})

/** Fills in fields: with what they offer, with what their names stand for, or with something else. */
const fieldsOf = Effect.fnUntraced(function*(choices: Choices, { app, dice, mistakes, world }: Visit) {
  const fields = new URLSearchParams()
  const secrets: Array<string> = []
  for (const [name, values] of Object.entries(choices)) {
    const given = dice.pickAny(values) ?? ""
    const right = given === "" || dice.chance(0.3) ? (yield* known(name, app, world, dice)) ?? given : given
    // The token of the form is left alone most of the time, or nothing behind it would be reached.
    const value = dice.chance(name === "csrf" ? mistakes / 10 : mistakes) ? nearby(dice, right) : right
    if (dice.chance(mistakes / 4)) continue
    fields.append(name, value)
    if (isSecret(name) && !values.includes(value)) secrets.push(value)
    if (dice.chance(mistakes / 4)) fields.append(name, strangeText(dice))
  }
  return { fields, secrets }
})

type Choices = Readonly<Record<string, ReadonlyArray<string>>>

/** Values that each field of a form offers; one that a person types in offers its present text. */
const choicesOf = (form: HTMLElement): Choices => {
  const choices: Record<string, Array<string>> = {}
  for (const control of form.querySelectorAll("input, textarea, button, option")) {
    const field = control.tagName === "OPTION" ? control.closest("select") : control
    const name = field?.getAttribute("name")
    if (name === undefined) continue
    const value = control.getAttribute("value") ?? control.textContent
    choices[name] = [...(choices[name] ?? []), value]
  }
  return choices
}

const formRequest = (path: string, body: string, cookies: Cookies, site: string) => ({
  method: "POST",
  path: asciiPath(path),
  headers: {
    ...cookieHeader(cookies),
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(Buffer.byteLength(body)),
    "sec-fetch-site": site
  },
  body
})

const cookieHeader = (cookies: Cookies) => cookies.size === 0 ? {} : { cookie: [...cookies.values()].join("; ") }

const cookieOf = (cookie: string): [name: string, cookie: string] => [cookie.replace(/=.*/, ""), cookie]

const keepCookies = ({ cookies }: Visit, answer: Answer | undefined): void =>
  answer?.cookies.forEach((cookie) => cookies.set(...cookieOf(cookie)))

const asciiPath = (path: string): string =>
  path.replaceAll(/[^\x21-\x7E]/g, (text) => encodeURIComponent(text.toWellFormed()))

const pageOf = (path: string, answer: Answer | undefined): Page | undefined =>
  answer !== undefined && answer.headers["content-type"]?.startsWith("text/html")
    ? { path, html: answer.text }
    : undefined

/** Path of an address on this server, relative to a page; `undefined` for one elsewhere. */
const localPath = (address: string | undefined, page: string): string | undefined => {
  const origin = "http://page.invalid"
  if (address === undefined || !URL.canParse(address, origin + page)) return undefined
  const { host, hostname, pathname, search } = new URL(address, origin + page)
  return hostname === "page.invalid" || host.startsWith("localhost:") ? pathname + search : undefined
}

/** Finds the route that a path belongs to. */
const routeFinder = (routes: ReadonlyArray<string>) => {
  // A route without parameters goes before one with them.
  const patterns = routes.toSorted((a, b) => Number(a.includes(":")) - Number(b.includes(":"))).map((route) => ({
    route,
    pattern: new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+").replaceAll("*", ".*")}$`)
  }))
  return (method: string, path: string): string =>
    patterns.find(({ pattern }) => pattern.test(`${method} ${path.split("?")[0]}`))?.route ?? `${method} elsewhere`
}
