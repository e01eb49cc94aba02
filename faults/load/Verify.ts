import { Effect } from "effect"
import type { World } from "../world/World.ts"
import { checkPath, checkRequest, refreshRequest, story, tokenPath, tokensOf } from "./Chain.ts"
import { authorized } from "./Decider.ts"
import type { Tokens } from "./Ledger.ts"
import type { Load } from "./Load.ts"

/**
 * Compares what clients may believe with what each node answers, and with the rows; notes differences in the ledger.
 */
export const verify = (world: World, load: Load): Effect.Effect<void> =>
  Effect.gen(function*() {
    const { ledger, notices, traffic } = load
    traffic.resume()
    const concurrently = <A>(all: Iterable<A>, ask: (each: A) => Promise<void>) =>
      Effect.forEach(all, (each) => Effect.promise(() => ask(each)), { concurrency: 8, discard: true })

    yield* concurrently(ledger.chains, ([name, tokens]) => goesOn(name, tokens, load))
    yield* concurrently(ledger.revoked, (tokens) => staysRevoked(tokens, load))
    yield* concurrently(ledger.decisions, async ({ appId, name, verdict }) => {
      for (const [node] of world.nodes.entries()) {
        const headers = authorized(world.template.developer.key)
        const answer = await traffic.insistAt("verify", "api", node, `/v2/oauth-clients/${appId}`, { headers })
        if (answer.status !== 200 || !answer.body.includes(`"status":"${verdict}"`)) {
          ledger.lost.push(`decision about ${name}: node ${node} says ${answer.status} ${answer.body.slice(0, 200)}`)
        }
      }
    })
    notices.collect()
    for (const notice of notices.missing(ledger)) ledger.lost.push(`notice: ${notice} never came`)
    ledger.lost.push(...notices.shared)
    ledger.doubled.push(...notices.doubled)
    yield* grants(world, load)
  })

const goesOn = async (name: string, tokens: Tokens, { ledger, traffic }: Load) => {
  let newest = tokens
  for (const node of [0, 1]) {
    const answer = await traffic.insistAt("verify", "token", node, tokenPath, refreshRequest(newest))
    if (answer.status !== 200) {
      ledger.lost.push(`chain ${name}: in the end, node ${node} says ${story({ ...answer, before: [] })}`)
      return
    }
    newest = tokensOf(answer, newest, ledger)
    for (const other of [0, 1]) {
      const checked = await traffic.insistAt("verify", "check", other, checkPath, checkRequest(newest))
      if (checked.status !== 200) {
        ledger.lost.push(
          `chain ${name}: in the end, node ${other} says ${story({ ...checked, before: [] })} to its access token`
        )
      }
    }
  }
}

const staysRevoked = async (tokens: Tokens, { ledger, traffic }: Load) => {
  for (const node of [0, 1]) {
    const refreshed = await traffic.insistAt("verify", "token", node, tokenPath, refreshRequest(tokens))
    if (refreshed.status !== 400) ledger.lost.push(`revocation: node ${node} says ${refreshed.status} to a refresh`)
    const checked = await traffic.insistAt("verify", "check", node, checkPath, checkRequest(tokens))
    if (checked.status !== 401) ledger.lost.push(`revocation: node ${node} says ${checked.status} to an access token`)
  }
}

/** No pair of user and app has two grants, as none consented twice, and no grant ended that its app did not end. */
const grants = (world: World, { ledger }: Load) =>
  Effect.gen(function*() {
    const several = yield* world.database.ask(
      `SELECT user_id, client_id, count(*)::int AS grants FROM grants GROUP BY 1, 2 HAVING count(*) > 1`
    )
    for (const row of several) ledger.doubled.push(`grants of one code: ${JSON.stringify(row)}`)
    const stolen = yield* world.database.ask(
      `SELECT action, count(*)::int AS times FROM audit_log WHERE action IN ('refresh_token.reused', 'code.replayed') GROUP BY 1`
    )
    // The repeat of an exchange that died with its process is a replay, by the rules of RFC 6749 §4.1.2.
    for (const { action, times } of stolen) {
      if (action === "code.replayed" && Number(times) <= ledger.unanswered.length) continue
      ledger.lost.push(`honest clients were taken for thieves: ${String(action)}, ${String(times)} times`)
    }
  })
