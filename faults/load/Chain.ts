import { setTimeout as pause } from "node:timers/promises"
import { credentials, type Ledger, type Tokens } from "./Ledger.ts"
import type { Answer, Insisted, Traffic } from "./Traffic.ts"

/**
 * An app that refreshes the tokens of one grant and calls the API with them, until the traffic ends. A naive one
 * refreshes several times at once, each time with the token that it sees, and keeps the answer that comes last.
 */
export const follow = async (
  name: string,
  { isNaive, ledger, traffic }: { readonly isNaive: boolean; readonly ledger: Ledger; readonly traffic: Traffic }
): Promise<void> => {
  while (!traffic.isOver && ledger.chains.has(name)) {
    await Promise.all(Array.from({ length: isNaive ? 4 : 1 }, async () => {
      if (isNaive) await pause(Math.random() * 100)
      await refresh(name, ledger, traffic)
    }))
    await pause(200 + Math.random() * 200)
    await check(name, ledger, traffic)
    await pause(200 + Math.random() * 200)
  }
  if (!ledger.chains.has(name)) traffic.forget(name)
}

const refresh = async (name: string, ledger: Ledger, traffic: Traffic): Promise<void> => {
  const tokens = ledger.chains.get(name)
  if (tokens === undefined) return
  const answer = await traffic.insist(name, "token", tokenPath, refreshRequest(tokens))
  // A restore may have taken the chain out of the ledger meanwhile.
  if (!ledger.chains.has(name)) return
  if (answer.status === 200) return ledger.keep(name, tokensOf(answer, tokens, ledger))
  if (typeof answer.status === "number" && answer.status < 500) {
    ledger.end(name)
    ledger.lost.push(`chain ${name}: refresh ${story(answer)}`)
  }
}

const check = async (name: string, ledger: Ledger, traffic: Traffic): Promise<void> => {
  const tokens = ledger.chains.get(name)
  if (tokens === undefined) return
  const answer = await traffic.insist(name, "check", checkPath, checkRequest(tokens))
  if (typeof answer.status === "number" && answer.status !== 200 && answer.status < 500 && ledger.chains.has(name)) {
    ledger.lost.push(`chain ${name}: its access token ${story(answer)}`)
  }
}

export const tokenPath = "/v2/auth/oauth2/token"
export const revocationPath = "/v2/auth/oauth2/revoke"
export const checkPath = "/v2/me"

export const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields)
})

export const refreshRequest = ({ client, refreshToken }: Tokens): RequestInit =>
  form({ ...credentials(client), grant_type: "refresh_token", refresh_token: refreshToken })

export const checkRequest = ({ accessToken }: Tokens): RequestInit => ({
  headers: { authorization: `Bearer ${accessToken}` }
})

/** Tokens of an answer; notes a time of issue that is not the database's, whose clock is this machine's. */
export const tokensOf = (answer: Answer, of: Pick<Tokens, "client" | "user">, ledger: Ledger): Tokens => {
  const { access_token: accessToken, refresh_token: refreshToken }: Record<string, string> = JSON.parse(answer.body)
  if (accessToken === undefined || refreshToken === undefined) throw new Error(`no tokens: ${answer.body}`)
  const { iat }: { readonly iat: number } = JSON.parse(
    Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString()
  )
  const wrong = Math.abs(Date.now() / 1000 - iat)
  // Issued at the beginning of a request that may take the whole patience of its client.
  if (wrong > 7) ledger.lost.push(`an access token was issued ${wrong.toFixed(0)} s beside the database's time`)
  return { ...of, accessToken, refreshToken }
}

/** Statuses on the way to a refusal, and the refusal. */
export const story = (answer: Insisted): string =>
  `[${[...answer.before, answer.status].join(", ")}] ${answer.body.slice(0, 160)}`
