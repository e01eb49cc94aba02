import { clientId, redirectUri, scopes } from "../Population.ts"
import type { Answer, Request, Source } from "./Load.ts"

/** A person who administers the server, signed in, and with an API key. */
export interface Caller {
  readonly cookie: string
  readonly apiKey: string
}

/** An app that was registered, as its next request has to name it. */
interface App {
  readonly id: string
  readonly version: number
}

/**
 * Requests of people and of their programs, each kind in its turn: pages, a consent that is asked for, and by the
 * management API an app that is registered, edited, decided about and looked at.
 */
export class PeopleLoad {
  readonly #caller: Caller
  readonly #turns: ReadonlyArray<() => Request>
  readonly #registered: Array<App> = []
  readonly #edited: Array<App> = []
  #turn = 0
  #apps = 0
  #connected = 0

  constructor(caller: Caller) {
    this.#caller = caller
    this.#turns = [
      () => this.#page("/connections"),
      () => this.#register(),
      () => this.#page(this.#authorization()),
      () => this.#edit(),
      () => this.#page("/review"),
      () => this.#approve(),
      () => this.#page("/account"),
      () => this.#api("GET", "/v2/oauth-clients", undefined, 200)
    ]
  }

  readonly source: Source = () => this.#turns[this.#turn++ % this.#turns.length]?.()

  #page(path: string): Request {
    return expecting(request("GET", path, `Cookie: ${this.#caller.cookie}`), 200, path)
  }

  /** Question of another app each time: it is kept, in a transaction, until somebody decides. */
  #authorization(): string {
    const query = new URLSearchParams({
      client_id: clientId(this.#connected++ % 10),
      redirect_uri: redirectUri,
      scope: scopes.join(" "),
      state: "a state"
    })
    return `/auth/oauth2/authorize?${query}`
  }

  #register(): Request {
    const app = {
      kind: "confidential",
      name: `App of the load ${this.#apps++}`,
      purpose: "Shows bookings.",
      website: "https://app.example",
      redirectUris: [redirectUri],
      scopes
    }
    return this.#api("POST", "/v2/oauth-clients", app, 201, (made) => this.#registered.push(made))
  }

  #edit(): Request {
    const app = this.#registered.shift()
    if (app === undefined) return this.#page("/connections")
    const purpose = { purpose: `Shows bookings, and more ${this.#apps}.` }
    return this.#api("PATCH", `/v2/oauth-clients/${app.id}`, purpose, 200, (edited) => this.#edited.push(edited))
  }

  #approve(): Request {
    const app = this.#edited.shift()
    if (app === undefined) return this.#page("/connections")
    return this.#api("POST", `/v2/admin/oauth-clients/${app.id}/approve`, { version: app.version }, 200)
  }

  #api(method: string, path: string, body: unknown, status: number, then: (app: App) => void = () => {}): Request {
    const authorization = `Authorization: Bearer ${this.#caller.apiKey}`
    return expecting(request(method, path, authorization, body), status, path, ({ body }) => {
      const { data }: { readonly data: App } = JSON.parse(body)
      then(data)
    })
  }
}

const request = (method: string, path: string, header: string, body?: unknown): string => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: slotkey.test\r\n${header}\r\n`
  if (body === undefined) return `${head}\r\n`
  const text = JSON.stringify(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}

const expecting = (
  bytes: string,
  status: number,
  path: string,
  then: (answer: Answer) => void = () => {}
): Request => ({
  bytes,
  faultOf: (answer) => {
    if (answer.status !== status) return `${answer.status} at ${path.split("?")[0]}: ${answer.body.slice(0, 120)}`
    then(answer)
    return undefined
  }
})
