import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LocalAccounts } from "../../../src/core/accounts/LocalAccounts.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { SecretCheck } from "../../../src/core/clients/secrets/SecretCheck.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { GrantStore } from "../../../src/core/grants/GrantStore.ts"
import * as Testing from "../../../src/testing.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { type Answer, approvedApp, layer as server } from "../../support/TestServer.ts"
import { OwnCodes } from "./examples/OwnCodes.ts"
import {
  type AccessToken,
  Command,
  environment,
  type Expected,
  Model,
  type RefreshCommand,
  type RefreshToken
} from "./Model.ts"
import { secondsUntil } from "./Scenario.ts"

/** Gives the commands to the server and to the model, and compares their answers. */
const run = Effect.fnUntraced(function*(commands: ReadonlyArray<Command>) {
  const first = yield* approvedApp()
  const second = yield* approvedApp()
  const apps = [first, second] as const
  const { user } = first
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  const grants = yield* Grants
  const sql = yield* SqlClient.SqlClient
  const model = new Model()
  for (const [app, refreshGrace] of [[first, model.graces[0]], [second, model.graces[1]]] as const) {
    yield* registry.edit(app.owner, app.client.id, { refreshGrace })
  }
  const codes: Array<string> = []
  const refreshTokens: Array<RefreshToken & { readonly text: string }> = []
  const accessTokens: Array<AccessToken & { readonly text: string }> = []
  const pick = <A>(items: ReadonlyArray<A>, back: number): A | undefined => items.at(-1 - back % items.length)

  const compare = (answer: Answer, expected: Expected, isLost = false) => {
    if (expected._tag === "Refused") {
      return assert.deepStrictEqual([answer.status, answer.json["error"]], [expected.status, expected.error])
    }
    assert.strictEqual(answer.status, 200, answer.text)
    if (isLost) return
    accessTokens.push({ ...expected.accessToken, text: String(answer.json["access_token"]) })
    const { generation, grant } = expected.refreshToken
    const known = refreshTokens.find((token) => token.grant === grant && token.generation === generation)
    const text = String(answer.json["refresh_token"])
    if (known !== undefined) return assert.strictEqual(text, known.text)
    refreshTokens.push({ grant, generation, text })
  }

  const areNoted = Effect.map(
    sql<{ n: number }>`SELECT count(*)::int AS n FROM grants
      WHERE user_id = ${user} AND used_generation = generation AND generation > 0`,
    ([row]) => row?.n === model.grants.filter(({ generation, used }) => used === generation && used > 0).length
  )

  const refresh = Effect.fnUntraced(function*(
    token: RefreshToken & { readonly text: string },
    { fault, lost, times }: Pick<RefreshCommand, "fault" | "lost" | "times"> = { fault: "none", lost: false, times: 1 }
  ) {
    const [own, other] = [apps[token.grant.app] ?? first, apps[1 - token.grant.app] ?? first]
    const changes = {
      none: {},
      app: other.credentials,
      secret: { client_secret: other.secret },
      scope: { scope: "PROFILE_READ PROFILE_WRITE" }
    }[fault]
    const answers = yield* Effect.all(
      Array.from({ length: times }, () => own.refresh(token.text, changes)),
      { concurrency: "unbounded" }
    )
    for (const answer of answers) compare(answer, model.refresh(token, fault, answer.status !== 200), lost)
  })

  const use = Effect.fnUntraced(function*(token: AccessToken & { readonly text: string }) {
    assert.strictEqual((yield* first.me(token.text)).status, model.admits(token) ? 200 : 401)
    if (model.use(token)) model.now += yield* secondsUntil(areNoted)
  })

  const wait = (seconds: number) => {
    model.now += seconds
    return TestClock.adjust(`${seconds} seconds`)
  }

  const act = Effect.fnUntraced(function*(command: Command) {
    switch (command._tag) {
      case "Authorize": {
        model.authorize(command.app)
        codes.push(yield* apps[command.app].code({ user }))
        return
      }
      case "Exchange": {
        const code = pick(model.codes, command.code)
        const text = pick(codes, command.code)
        if (code === undefined || text === undefined) return
        const [own, other] = [apps[code.app] ?? first, apps[1 - code.app] ?? first]
        const changes = {
          none: {},
          app: other.credentials,
          secret: { client_secret: other.secret },
          redirect: { redirect_uri: "https://app.test/other" },
          verifier: { code_verifier: "x".repeat(43) }
        }[command.fault]
        return compare(yield* own.exchange(text, changes), model.exchange(code, command.fault))
      }
      case "Refresh": {
        const token = pick(refreshTokens, command.token)
        return token && (yield* refresh(token, command))
      }
      case "Shadow": {
        const token = pick(refreshTokens, command.token)
        if (token === undefined) return
        yield* refresh(token)
        const newest = accessTokens.at(-1)
        if (command.used && newest !== undefined) yield* use(newest)
        yield* wait(command.seconds)
        return yield* refresh(token)
      }
      case "Burst": {
        for (const { seconds, token: back } of command.calls) {
          const token = pick(refreshTokens, back)
          if (token !== undefined) yield* refresh(token)
          yield* wait(seconds)
        }
        return
      }
      case "Check": {
        const token = pick(accessTokens, command.token)
        return token && (yield* use(token))
      }
      case "Revoke": {
        const token = pick(refreshTokens, command.token)
        if (token === undefined) return
        const { credentials } = apps[command.byOther ? 1 - token.grant.app : token.grant.app] ?? first
        model.revoke(token, command.byOther)
        const { status } = yield* first.post("/v2/auth/oauth2/revoke", { ...credentials, token: token.text })
        return assert.strictEqual(status, 200)
      }
      case "Disconnect": {
        model.disconnect(command.app)
        return yield* grants.disconnect(user, apps[command.app].client.id)
      }
      case "Suspend": {
        const { admin, client } = apps[command.app]
        if (!model.suspended[command.app]) yield* review.suspend(admin, client.id, "Sends too much.")
        model.suspended[command.app] = true
        return
      }
      case "Resume": {
        const { admin, client } = apps[command.app]
        if (model.suspended[command.app]) yield* review.resume(admin, client.id)
        model.suspended[command.app] = false
        return
      }
      case "ChooseGrace": {
        const { client, owner } = apps[command.app]
        model.graces[command.app] = command.grace
        return yield* registry.edit(owner, client.id, { refreshGrace: command.grace })
      }
      case "Wait": {
        return yield* wait(command.seconds)
      }
    }
  })

  for (const command of commands) yield* act(command)
  for (const token of accessTokens) {
    assert.strictEqual((yield* first.me(token.text)).status, model.admits(token) ? 200 : 401)
  }
  const [told] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM outbox
    WHERE queue = 'token-reuse' AND payload->>'userId' = ${user}`
  assert.strictEqual(told?.n, model.reuses)
})

layer(server(environment))("The server and the model of its rules", (it) => {
  it.effect.prop(
    "answer alike, whatever happens in whatever order",
    { commands: Schema.Array(Command).check(Schema.isMaxLength(60)) },
    ({ commands }) => run(commands),
    { timeout: 300_000, arbitrary: { runs: Number(process.env["MODEL_RUNS"] ?? 40), size: 60 } }
  )
})

const OwnCodeStore = OwnCodes.pipe(Layer.provide(GrantStore.layer), Layer.provide(SecretCheck.layer))

const serverOnOwnCodes = Testing.layerWith(Layer.merge(LocalAccounts, OwnCodeStore), {
  ...TestDatabase.patient,
  ...environment
}).pipe(
  Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer))
)

layer(serverOnOwnCodes)("The server over another code store and the same model", (it) => {
  it.effect.prop(
    "answer alike, too",
    { commands: Schema.Array(Command).check(Schema.isMaxLength(60)) },
    ({ commands }) => run(commands),
    { timeout: 300_000, arbitrary: { runs: Number(process.env["MODEL_RUNS"] ?? 10), size: 60 } }
  )
})
