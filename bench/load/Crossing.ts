import { clientId, clientSecret, redirectUri, scopes } from "../Population.ts"

export interface Person {
  readonly email: string
  readonly password: string
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

interface Question {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * A person and the apps that it connects, on servers of two releases that share a database: what the earlier one issued
 * has to be good at both, and at the later one afterwards. Each app is connected once.
 */
export class Crossing {
  readonly #origin: string
  readonly #person: Person
  /** What did not cross. */
  readonly problems: Array<string> = []
  crossed = 0
  #cookie = ""
  #nextClient = 0
  readonly #codes: Array<{ readonly client: number; readonly code: string }> = []
  #question: { readonly client: number; readonly asked: Question } | undefined
  #chain: { readonly client: number; readonly tokens: Tokens } | undefined

  constructor(origin: string, person: Person) {
    this.#origin = origin
    this.#person = person
  }

  /** Earlier release alone: a session, two codes, a question that waits for its answer, and the tokens of a grant. */
  async before(earlier: string): Promise<void> {
    this.#cookie = await this.#signIn(earlier)
    for (let n = 0; n < 2; n++) this.#codes.push(await this.#connect(earlier, earlier))
    const client = this.#nextClient++
    this.#question = { client, asked: await this.#ask(earlier, client) }
    this.#chain = await this.#exchange(earlier, await this.#connect(earlier, earlier))
  }

  /** Both at a time. */
  async mixed(earlier: string, later: string): Promise<void> {
    await this.#expectSession("the earlier session at the later release", later, this.#cookie)
    await this.#expectSession("the later session at the earlier release", earlier, await this.#signIn(later))
    const ofEarlierCode = await this.#exchange(later, this.#codes.pop())
    await this.#expectAccess("the access token of the later release at the earlier one", earlier, ofEarlierCode, 200)
    await this.#expectAccess("the earlier access token at the later release", later, this.#chain, 200)
    if (this.#question !== undefined) {
      const { asked, client } = this.#question
      await this.#exchange(earlier, { client, code: await this.#answer(later, asked) })
    }
    await this.#exchange(earlier, await this.#connect(later, later))
    await this.#exchange(later, await this.#connect(later, earlier))
    for (const release of [later, earlier, later, earlier]) await this.#refresh(release)
    await this.#revoke(later, ofEarlierCode)
    await this.#expectAccess("a token that the later release revoked, at the earlier one", earlier, ofEarlierCode, 401)
  }

  /** Later release alone. */
  async after(later: string): Promise<void> {
    await this.#expectSession("the earlier session afterwards", later, this.#cookie)
    await this.#exchange(later, this.#codes.pop())
    await this.#refresh(later)
    await this.#expectAccess("the access token afterwards", later, this.#chain, 200)
  }

  async #signIn(server: string): Promise<string> {
    const { cookie, status } = await signIn(server, this.#origin, this.#person)
    this.#note("sign-in", cookie !== "" && status < 400, status)
    return cookie
  }

  /** Code of a consent whose question is asked by one server and answered at another. */
  async #connect(asking: string, answering: string): Promise<{ readonly client: number; readonly code: string }> {
    const client = this.#nextClient++
    return { client, code: await this.#answer(answering, await this.#ask(asking, client)) }
  }

  async #ask(server: string, client: number): Promise<Question> {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId(client),
      redirect_uri: redirectUri,
      scope: scopes.join(" "),
      state: "a state"
    })
    const page = await this.#get(server, `/auth/oauth2/authorize?${query}`, { cookie: this.#cookie })
    const html = await page.text()
    const action = /<form[^>]*action="([^"]*decision[^"]*)"/.exec(html)?.[1] ?? ""
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""
    this.#note("consent page", action !== "", page.status)
    return { action, fields: { csrf: field("csrf"), request: field("request"), decision: "allow" } }
  }

  async #answer(server: string, { action, fields }: Question): Promise<string> {
    const response = await this.#post(server, new URL(action, this.#origin).pathname, fields, this.#cookie)
    const location = response.headers.get("location") ?? ""
    const code = URL.canParse(location) ? new URL(location).searchParams.get("code") : null
    this.#note("consent", code !== null, response.status)
    return code ?? ""
  }

  async #exchange(server: string, given: { readonly client: number; readonly code: string } | undefined) {
    const { client, code } = given ?? { client: 0, code: "" }
    return {
      client,
      tokens: await this.#tokens("exchange", server, client, { grant_type: "authorization_code", code })
    }
  }

  async #refresh(server: string): Promise<void> {
    if (this.#chain === undefined) return
    const { client, tokens } = this.#chain
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token }
    this.#chain = { client, tokens: await this.#tokens("refresh", server, client, form) }
  }

  async #tokens(what: string, server: string, client: number, form: Record<string, string>): Promise<Tokens> {
    const all = { ...credentials(client), redirect_uri: redirectUri, ...form }
    const response = await this.#post(server, "/v2/auth/oauth2/token", all, "")
    this.#note(what, response.status === 200, response.status)
    return await response.json() as Tokens
  }

  async #revoke(
    server: string,
    { client, tokens }: { readonly client: number; readonly tokens: Tokens }
  ): Promise<void> {
    const form = { ...credentials(client), token: tokens.refresh_token }
    const { status } = await this.#post(server, "/v2/auth/oauth2/revoke", form, "")
    this.#note("revocation", status === 200, status)
  }

  async #expectSession(what: string, server: string, cookie: string): Promise<void> {
    const { status } = await this.#get(server, "/connections", { cookie })
    this.#note(what, status === 200, status)
  }

  async #expectAccess(what: string, server: string, holder: { readonly tokens: Tokens } | undefined, wanted: number) {
    const authorization = `Bearer ${holder?.tokens.access_token}`
    const { status } = await this.#get(server, "/v2/me", { authorization })
    this.#note(what, status === wanted, status)
  }

  // On a connection of its own each: the server may stop before the next one.
  #get(server: string, path: string, headers: Record<string, string>): Promise<Response> {
    return fetch(`${server}${path}`, { headers: { ...headers, connection: "close" }, redirect: "manual" })
  }

  #post(server: string, path: string, fields: Readonly<Record<string, string>>, cookie: string): Promise<Response> {
    return post(server, path, fields, { cookie, origin: this.#origin })
  }

  #note(what: string, isRight: boolean, status: number): void {
    if (isRight) this.crossed++
    else this.problems.push(`${what}: ${status}`)
  }
}

/** Signs a person in; answers the cookie, which is empty if that failed. */
export const signIn = async (server: string, origin: string, person: Person) => {
  const { headers, status } = await post(server, "/sign-in", { ...person, return_to: "/connections" }, { origin })
  return { cookie: headers.getSetCookie()[0]?.split(";")[0] ?? "", status }
}

const post = (
  server: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>
): Promise<Response> =>
  fetch(`${server}${path}`, {
    method: "POST",
    headers: { ...headers, connection: "close" },
    body: new URLSearchParams(fields),
    redirect: "manual"
  })

const credentials = (client: number) => ({ client_id: clientId(client), client_secret: clientSecret(client) })
