import { setTimeout as pause } from "node:timers/promises"
import * as Population from "../../bench/Population.ts"
import { story } from "./Chain.ts"
import type { Decision } from "./Ledger.ts"
import type { Scene } from "./Newcomer.ts"
import { type Answer, isAnswered, type Traffic } from "./Traffic.ts"

/** A developer who registers one app after the other, and an administrator who decides about each of them. */
export const decide = async (sender: string, scene: Scene): Promise<void> => {
  for (let n = 0; !scene.traffic.isOver; n++) {
    const began = performance.now()
    const complain = (story: string) => scene.ledger.complain(scene.ledger.lost, story, began)
    const name = `App ${sender}-${n}.`
    const app = await register(sender, name, scene, complain)
    if (app !== undefined) await judge(sender, name, app, n % 3 === 2 ? "rejected" : "approved", scene, complain)
    await pause(300 + Math.random() * 300)
  }
}

type Complain = (story: string) => void

interface App {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly version: number
}

const register = async (sender: string, name: string, { ledger, template, traffic }: Scene, complain: Complain) => {
  const headers = authorized(template.developer.key)
  // A program whose request to register had no answer looks for the app before it asks again.
  while (true) {
    const answer = await traffic.ask(sender, "api", "/v2/oauth-clients", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({
        kind: "confidential",
        name,
        purpose: "Shows bookings.",
        website: "https://app.example",
        redirectUris: [Population.redirectUri],
        scopes: [...Population.scopes]
      })
    })
    if (answer.status === 201) return dataOf<App>(answer)
    if (isAnswered(answer.status)) {
      complain(`registration of ${name}: ${answer.status} ${answer.body}`)
      return undefined
    }
    const list = await traffic.insist(sender, "api", "/v2/oauth-clients", { headers })
    if (list.status !== 200) return undefined
    const found = dataOf<ReadonlyArray<App>>(list).filter((app) => app.name === name)
    if (found.length > 1) ledger.doubled.push(`registration of ${name}: ${found.length} apps`)
    if (found[0] !== undefined) return found[0]
    if (traffic.isOver) return undefined
  }
}

const judge = async (
  sender: string,
  name: string,
  app: App,
  verdict: Decision["verdict"],
  scene: Scene,
  complain: Complain
) => {
  const { ledger, template, traffic } = scene
  const headers = authorized(template.administrator.key)
  const path = `/v2/admin/oauth-clients/${app.id}`
  const answer = await traffic.insist(sender, "api", `${path}/${verdict === "approved" ? "approve" : "reject"}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ version: app.version, ...(verdict === "rejected" ? { reason: "A test." } : {}) })
  })
  if (!isAnswered(answer.status)) return
  const decidedAt = performance.now()
  // After a lost answer the repeat meets the decision itself.
  const holds = answer.status === 200 ||
    (answer.status === 409 && answer.before.length > 0 && await statusOf(sender, path, headers, traffic) === verdict)
  if (holds) ledger.decisions.push({ appId: app.id, name, verdict, decidedAt })
  else complain(`decision about ${name}: ${story(answer)}`)
}

const statusOf = async (sender: string, path: string, headers: Record<string, string>, traffic: Traffic) => {
  const answer = await traffic.insist(sender, "api", path, { headers })
  return answer.status === 200 ? dataOf<App>(answer).status : undefined
}

export const authorized = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

const dataOf = <A>(answer: Answer): A => {
  const { data }: { readonly data: A } = JSON.parse(answer.body)
  return data
}
