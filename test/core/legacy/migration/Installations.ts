import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { basic, form, serverClient } from "../../../support/TestServer.ts"
import { app as importedApp, apply, jsonLines, token, unique } from "../import/Scenario.ts"
import type { legacyApp, Visitor } from "../Scenario.ts"

type App = Effect.Success<typeof legacyApp>

/** An installed copy of a legacy app, with the refresh token that it holds. */
export interface Installation {
  readonly name: string
  readonly user: number
  /** Scopes that it was granted; the empty string is everything. */
  readonly scope: string
  /** False for a copy that goes on with the token of a server that did not rotate, and never stores another one. */
  readonly stores: boolean
  readonly isImported: boolean
  token: string
  /** Days that have passed since it was used. */
  unused: number
  /** True once its user has authorized the app again since the scopes were saved. */
  superseded: boolean
}

/**
 * Installed copies of an app. Each of these must be able to refresh until it is superseded. Copies of an app that
 * `callsAll` make calls that no scope covers, which stands in the way of its scopes.
 */
export const installationsOf = Effect.fnUntraced(
  function*(app: App, users: ReadonlyArray<Visitor>, callsAll: boolean, told: () => string) {
    const http = yield* serverClient
    const installed: Array<Installation> = []
    let named = 0

    const add = (one: Omit<Installation, "name" | "unused" | "superseded">) =>
      installed.push({ ...one, name: `${one.user}#${named++}`, unused: 0, superseded: false })

    const supersede = (user: number): number => {
      const old = installed.filter((one) => one.user === user && one.scope === "" && !one.superseded)
      for (const one of old) one.superseded = true
      return old.length
    }

    /** Lets a day pass, and forgets the installations that end by idleness. Those that were imported never do. */
    const idle = () => {
      for (const one of installed) one.unused++
      installed.splice(0, Infinity, ...installed.filter((one) => one.isImported || one.unused < 4))
    }

    const refresh = Effect.fnUntraced(function*(one: Installation) {
      const answer = yield* app.refresh(one.token)
      const about = `${JSON.stringify(one)} after\n${told()}`
      assert.strictEqual(answer.status, one.superseded ? 400 : 200, about)
      if (one.superseded) return
      one.unused = 0
      assert.strictEqual(answer.json["scope"], one.scope, about)
      if (one.stores) one.token = String(answer.json["refresh_token"])
      // No scope covers the first, and a legacy grant needs none.
      const { status } = yield* app.check(
        "GET",
        callsAll ? "/v2/organizations/1/roles" : "/v2/me",
        answer.json["access_token"]
      )
      assert.strictEqual(status, one.scope === "" || !callsAll ? 200 : 403, about)
    })

    /** A refresh whose answer does not arrive, so that the app repeats it some hours later. */
    const lose = Effect.fnUntraced(function*(one: Installation) {
      yield* app.refresh(one.token)
      yield* TestClock.adjust("2 hours")
      yield* refresh(one)
    })

    /**
     * Imports a file with a token of each of these users, every other one of an app that never stores another token.
     */
    const importFile = Effect.fnUntraced(function*(of: ReadonlyArray<number>, withOthers: boolean) {
      const tokens = of.map((user) => ({ user, text: `refresh-${unique()}-of-old-server` }))
      const keptToken = `refresh-${unique()}-of-old-server`
      const other = importedApp(app.owner.id, {
        client_id: `kept-${unique()}`,
        redirect_uris: [keptUri],
        secrets: [{ secret: bcryptDigest, algorithm: "bcrypt" }],
        refresh_tokens: [token(keptToken, app.owner.id)]
      })
      const misfit = importedApp("nobody")
      yield* apply(
        jsonLines(...(withOthers ? [misfit] : []), {
          client_id: app.id,
          refresh_tokens: tokens.map(({ text, user }) => token(text, users[user]!.id))
        }, ...(withOthers ? [other] : [])),
        { skips: withOthers, keepsRedirectUris: withOthers }
      )
      for (const [at, { text, user }] of tokens.entries()) {
        add({ user, scope: "", isImported: true, stores: at % 2 === 1, token: text })
      }

      // The other app of the file: its redirect URI and its secret are those of the old server, and nobody mends them.
      const useOther = Effect.gen(function*() {
        const query = form({ client_id: other.client_id, redirect_uri: keptUri })
        const { headers } = yield* app.owner.get(`/auth/oauth2/authorize?${query}`)
        assert.match(headers.get("location") ?? "", /^http:\/\/old.example\/callback\?code=/, told())
        const { status } = yield* http.token(
          { grant_type: "refresh_token", refresh_token: keptToken },
          basic(other.client_id, "s3cr+t/%2B==old-server")
        )
        assert.strictEqual(status, 200, told())
      })
      return { useOther }
    })

    return { installed, add, idle, supersede, refresh, lose, importFile }
  }
)

const keptUri = "http://old.example/callback"

/** Digest of the secret of `importedApp`. */
const bcryptDigest = "$2b$04$kBEylwNleVmZ6s3ZmILXgO0tFoB1fOzAD.FEgUWaSsi4zZwtePu5C"
