import { calls, knows } from "./Catalogues.ts"
import type { Answer, Node, Requests } from "./Requests.ts"
import type { Truth } from "./Truth.ts"

/** A person who registers, reviews and connects all apps. */
export interface Person {
  readonly cookie: string
  readonly apiKey: string
}

interface App {
  readonly id: string
  readonly secret: string
  readonly scopes: ReadonlyArray<string>
}

/** An app with the tokens of its user. */
export interface Connected extends App {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Origin of all nodes to browsers. */
export const baseUrl = "https://slotkey.test"

/** What an app and its user do from its registration on; each answer is compared to what may be answered. */
export class AppLife {
  readonly #requests: Requests
  readonly #truth: Truth
  readonly #person: Person

  constructor(requests: Requests, truth: Truth, person: Person) {
    this.#requests = requests
    this.#truth = truth
    this.#person = person
  }

  /** Registers an app and has it approved; none while no node knows its scopes. */
  async register(name: string, scopes: ReadonlyArray<string>): Promise<App | undefined> {
    const app = { kind: "confidential", purpose: "Shows bookings.", website: "https://app.example" }
    const body = this.#api({ ...app, name, redirectUris: [redirectUri], scopes })
    const registered = await this.#known(
      "registration",
      "/v2/oauth-clients",
      body,
      scopes,
      (answer, isKnown) => answer.status === (isKnown ? 201 : 400)
    )
    if (registered === undefined) return undefined
    const { id, secret, version } = dataOf(registered)
    const approval = `/v2/admin/oauth-clients/${id}/approve`
    const approved = await this.#requests.ask("approval", approval, this.#api({ version }))
    return this.#isRight(approved, scopes, ({ status }) => status === 200) ? { id, secret, scopes } : undefined
  }

  /** Has the user consent, and exchanges the code. */
  async connect(app: App): Promise<Connected | undefined> {
    const code = await this.#consent(app)
    if (code === undefined) return undefined
    return this.#tokens("exchange", app, { grant_type: "authorization_code", code, redirect_uri: redirectUri })
  }

  async refresh(app: Connected): Promise<Connected | undefined> {
    return this.#tokens("refresh", app, { grant_type: "refresh_token", refresh_token: app.refreshToken })
  }

  /** At each node checks each call as a gateway does, reads the profile, and introspects the token. */
  async use({ accessToken, id, scopes, secret }: Connected): Promise<void> {
    const authorization = `Bearer ${accessToken}`
    for (const call of calls) {
      const headers = { "x-original-method": "GET", "x-original-uri": call.target, authorization }
      const path = "/v2/auth/oauth2/check/nginx"
      for (const answer of await this.#requests.askAll(`check of ${call.target}`, path, { headers })) {
        this.#isRight(answer, scopes, ({ node, sentAt, status }) =>
          (status === 200 || status === 403) &&
          this.#truth.isRight(sentAt, node.own, call, scopes, status === 200))
      }
    }
    for (const answer of await this.#requests.askAll("/v2/me", "/v2/me", { headers: { authorization } })) {
      this.#isRight(answer, scopes, ({ status }) => status === 200)
    }
    const form = post({ client_id: id, client_secret: secret, token: accessToken })
    for (const answer of await this.#requests.askAll("introspection", "/v2/auth/oauth2/introspect", form)) {
      this.#isRight(answer, scopes, ({ json }) => json["active"] === true && isSame(json["scope"], scopes))
    }
  }

  async #consent({ id, scopes }: App): Promise<string | undefined> {
    const query = new URLSearchParams({ client_id: id, redirect_uri: redirectUri, scope: scopes.join(" ") })
    const headers = { cookie: this.#person.cookie }
    const page = await this.#known(
      "consent page",
      `/auth/oauth2/authorize?${query}`,
      { headers },
      scopes,
      (answer, isKnown) =>
        isKnown
          ? answer.status === 200 && answer.text.includes("decision")
          : parameterOf(answer, "error") === "invalid_scope"
    )
    if (page === undefined) return undefined
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ""
    const form = post({ csrf: field("csrf"), request: field("request"), decision: "allow" })
    const decided = await this.#requests.ask("consent", "/auth/oauth2/decision", {
      ...form,
      headers: { ...headers, origin: baseUrl }
    })
    const isRight = this.#isRight(decided, scopes, (answer) => {
      const isAllowed = parameterOf(answer, "code") !== null
      return this.#truth.mayKnow(answer.sentAt, answer.node.own, scopes, isAllowed) &&
        (isAllowed || parameterOf(answer, "error") === "invalid_scope")
    })
    return isRight && decided !== undefined ? parameterOf(decided, "code") ?? undefined : undefined
  }

  async #tokens(kind: string, app: App, form: Readonly<Record<string, string>>): Promise<Connected | undefined> {
    const credentials = { client_id: app.id, client_secret: app.secret }
    const answer = await this.#requests.ask(kind, "/v2/auth/oauth2/token", post({ ...credentials, ...form }))
    const isRight = this.#isRight(
      answer,
      app.scopes,
      ({ json, status }) => status === 200 && isSame(json["scope"], app.scopes)
    )
    if (answer === undefined || !isRight) return undefined
    const { access_token: accessToken, refresh_token: refreshToken } = answer.json
    return { ...app, accessToken: String(accessToken), refreshToken: String(refreshToken) }
  }

  /**
   * Answer of a node that has texts for these scopes: where another one is asked first, it has to refuse them; none if
   * no node in service has texts.
   */
  async #known(
    kind: string,
    path: string,
    init: RequestInit,
    scopes: ReadonlyArray<string>,
    test: (answer: Answer, isKnown: boolean) => boolean
  ): Promise<Answer | undefined> {
    const knowsThem = ({ own }: Node) => knows(own, scopes)
    const first = await this.#requests.ask(kind, path, init)
    const isRight = this.#isRight(first, scopes, (answer) => test(answer, knowsThem(answer.node)))
    if (first === undefined || !isRight || knowsThem(first.node)) return isRight ? first : undefined
    const second = await this.#requests.ask(kind, path, init, knowsThem)
    return this.#isRight(second, scopes, (answer) => test(answer, true)) ? second : undefined
  }

  /** Notes an answer, if there is one; tells if it is right. */
  #isRight(answer: Answer | undefined, scopes: ReadonlyArray<string>, test: (answer: Answer) => boolean): boolean {
    return answer !== undefined && this.#requests.expect(test(answer), answer, scopes.join(" "))
  }

  #api(body: object): RequestInit {
    const headers = { authorization: `Bearer ${this.#person.apiKey}`, "content-type": "application/json" }
    return { method: "POST", headers, body: JSON.stringify(body) }
  }
}

const redirectUri = "https://app.example/callback"

const post = (fields: Readonly<Record<string, string>>) => ({ method: "POST", body: new URLSearchParams(fields) })

const dataOf = ({ text }: Answer): { readonly id: string; readonly secret: string; readonly version: number } =>
  JSON.parse(text).data

const parameterOf = ({ location }: Answer, name: string): string | null =>
  URL.canParse(location) ? new URL(location).searchParams.get(name) : null

/** Tests if an answer has these scopes, in whatever order. */
const isSame = (text: unknown, scopes: ReadonlyArray<string>): boolean =>
  typeof text === "string" && text.split(" ").toSorted().join(" ") === scopes.toSorted().join(" ")
