import { setTimeout as pause } from "node:timers/promises"
import * as Population from "../../bench/Population.ts"
import { shared, type Template } from "../world/Template.ts"
import { checkPath, checkRequest, form, revocationPath, story, tokenPath, tokensOf } from "./Chain.ts"
import { credentials, type Ledger } from "./Ledger.ts"
import { type Answer, isAnswered, type Traffic } from "./Traffic.ts"

/** Scene in which users connect apps. */
export interface Scene {
  readonly ledger: Ledger
  readonly traffic: Traffic
  readonly template: Template
}

/** A stream of users who connect an app, and of apps that exchange the code; every second one is disconnected again. */
export const stream = async (sender: string, scene: Scene): Promise<void> => {
  for (let n = 0; !scene.traffic.isOver; n++) {
    const name = `${sender}-${n}`
    if (await connect(sender, name, scene) && n % 2 === 0) await disconnect(sender, name, scene)
    await pause(150 + Math.random() * 150)
  }
}

/** Consents by the pages, exchanges the code, and uses the tokens once; they are in the ledger afterwards. */
export const connect = async (sender: string, name: string, scene: Scene): Promise<boolean> => {
  const { ledger, traffic } = scene
  const began = performance.now()
  const pair = ledger.nextPair()
  const code = await consent(sender, pair, scene)
  if (code === undefined) return false
  const request = form({
    ...credentials(pair.client),
    grant_type: "authorization_code",
    code,
    redirect_uri: Population.redirectUri
  })
  const answer = await traffic.insist(sender, "token", tokenPath, request)
  if (answer.status !== 200) {
    if (!isAnswered(answer.status)) return false
    // A process that died with the request cannot have answered it; any other owes its client the truth.
    const died = answer.before.length > 0 && answer.before.every((status) => status === "cut")
    const list = died ? ledger.unanswered : ledger.lost
    ledger.complain(list, `code of ${name}: exchange ${story(answer)}`, began)
    return false
  }
  const tokens = tokensOf(answer, pair, ledger)
  ledger.keep(name, tokens)
  const checked = await traffic.insist(sender, "check", checkPath, checkRequest(tokens))
  if (isAnswered(checked.status) && checked.status !== 200 && ledger.chains.has(name)) {
    ledger.lost.push(`grant of ${name}: its access token ${story(checked)}`)
  }
  return true
}

const disconnect = async (sender: string, name: string, { ledger, traffic }: Scene): Promise<void> => {
  const tokens = ledger.chains.get(name)
  if (tokens === undefined) return
  const began = performance.now()
  // Until it is answered, neither outcome may be believed.
  ledger.end(name)
  const request = form({ ...credentials(tokens.client), token: tokens.refreshToken })
  const answer = await traffic.insist(sender, "revoke", revocationPath, request)
  if (answer.status === 200) ledger.revoke(name, tokens)
  else if (isAnswered(answer.status)) {
    ledger.complain(ledger.lost, `revocation of ${name}: ${story(answer)}`, began)
  }
}

/** Opens the consent page and allows; begins again when the outcome of the form is unknown, as a person would. */
const consent = async (
  sender: string,
  { client, user }: { readonly client: number; readonly user: number },
  { ledger, template, traffic }: Scene
): Promise<string | undefined> => {
  const headers = { cookie: template.sessions[user]?.cookie ?? "" }
  const query = new URLSearchParams({
    response_type: "code",
    client_id: Population.clientId(client),
    redirect_uri: Population.redirectUri,
    scope: Population.scopes.join(" "),
    state: "a state"
  })
  const began = performance.now()
  const puzzled = (what: string, { body, location, status }: Answer) =>
    ledger.complain(ledger.lost, `${what} of ${sender}: ${status} to ${location || titleOf(body)}`, began)
  while (true) {
    const page = await traffic.insist(sender, "page", `/auth/oauth2/authorize?${query}`, { headers })
    if (!isAnswered(page.status)) return undefined
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)?.[1] ?? ""
    const action = /<form[^>]*action="([^"]*decision[^"]*)"/.exec(page.body)?.[1]
    if (action === undefined) {
      puzzled("consent page", page)
      return undefined
    }
    const answer = await traffic.insist(sender, "page", new URL(action, shared.BASE_URL).pathname, {
      ...form({ csrf: field("csrf"), request: field("request"), decision: "allow" }),
      headers: { ...headers, origin: shared.BASE_URL }
    })
    const code = URL.canParse(answer.location) ? new URL(answer.location).searchParams.get("code") : null
    if (code !== null) return code
    if (!isAnswered(answer.status)) return undefined
    // The question was answered by an attempt whose answer was lost: the person asks again.
    if (answer.before.length > 0) continue
    puzzled("consent", answer)
    return undefined
  }
}

const titleOf = (page: string): string => /<title>([^<]*)/.exec(page)?.[1] ?? page.slice(0, 120)
