import { Effect } from "effect"
import type { Attempt } from "../Attempt.ts"
import type { Dice } from "../Dice.ts"
import type { Findings } from "../Findings.ts"
import * as Sender from "../Sender.ts"
import type { Target } from "../Target.ts"
import type { App } from "../World.ts"

/** Bytes that are nearly HTTP, and after them a right request, which the server must still answer. */
export const target = (port: number, findings: Findings): Target => ({
  name: "bytes",
  turn: Effect.fnUntraced(function*(attempt, world, dice) {
    const sent = bytes(dice.pick(world.apps), dice)
    const { status } = yield* Sender.sendBytes(port, sent)
    const raw: Attempt = { ...keys, target: "bytes", body: sent.toString("latin1") }
    findings.count(raw, status, false)
    if (status >= 500) findings.broken(raw, `answers ${status}`)
    yield* attempt(keys)
  })
})

/** A request that every server answers. */
const keys: Attempt = {
  target: "GET /.well-known/jwks.json",
  method: "GET",
  path: "/.well-known/jwks.json",
  headers: {},
  secrets: [],
  signedIn: false
}

/** A request as bytes with some of them changed, of which many are no HTTP. */
const bytes = (app: App, dice: Dice): Buffer => {
  const body = `grant_type=refresh_token&client_id=${app.id}&refresh_token=none`
  const request = Buffer.from(dice.pick([
    `GET /v2/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`,
    `POST /v2/auth/oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    `POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\na=b\r\n0\r\n\r\n`,
    `GET /auth/oauth2/authorize?client_id=${app.id} HTTP/1.0\r\n\r\n`
  ]))
  for (let left = dice.below(4); left > 0; left--) request[dice.below(request.length)] = dice.below(256)
  return dice.chance(0.2) ? request.subarray(0, dice.below(request.length)) : request
}
