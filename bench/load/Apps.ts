import { setTimeout as sleep } from "node:timers/promises"
import * as oidc from "openid-client"
import { callerHeader } from "../Gateway.ts"
import {
  clientId,
  clientOfCode,
  clientSecret,
  code,
  codeVerifier,
  type Population,
  redirectUri
} from "../Population.ts"

/** What an app asks for: with its token, without one, or with one that nobody issued. */
export interface AppCall {
  readonly method: string
  readonly target: string
  readonly token: "own" | "none" | "wrong"
}

/** Whose a call is that has no token of an app. */
export const nobody = "nobody"

/** Apps that others might have written: openid-client gets their tokens, and makes their calls. */
export class Apps {
  readonly #installed: ReadonlyArray<Installed>

  private constructor(installed: ReadonlyArray<Installed>) {
    this.#installed = installed
  }

  /** Installs apps for users, one for each code, at the server that this address leads to. */
  static async install(address: string, population: Population): Promise<Apps> {
    const apps = await Promise.all(Array.from(
      { length: population.clients },
      (_, n) =>
        oidc.discovery(new URL(address), clientId(n), clientSecret(n), undefined, {
          algorithm: "oauth2",
          execute: [oidc.allowInsecureRequests]
        })
    ))
    const installed: Array<Installed> = []
    for (let n = 0; n < population.codes; n++) {
      const app = apps[clientOfCode(population, n)]
      if (app === undefined) throw new Error("There is no app for a code")
      const callback = new URL(redirectUri)
      callback.search = String(new URLSearchParams({ code: code(n), iss: app.serverMetadata().issuer }))
      const tokens = await oidc.authorizationCodeGrant(app, callback, { pkceCodeVerifier: codeVerifier })
      installed.push({ app, address, tokens })
    }
    return new Apps(installed)
  }

  /** Makes a call of the app that was installed with this code; answers its status. */
  async call(n: number, { method, target, token }: AppCall): Promise<number> {
    const { address, app, tokens } = this.#at(n)
    const url = new URL(address + target)
    const headers = new Headers({ [callerHeader]: token === "own" ? String(n) : nobody })
    const accessToken = token === "own" ? tokens.access_token : "slk_at_nobody"
    const response = await (token === "none"
      ? fetch(url, { method, headers })
      : oidc.fetchProtectedResource(app, accessToken, url, method, null, headers)
        .catch((error) => error instanceof oidc.WWWAuthenticateChallengeError ? error.response : Promise.reject(error)))
    await response.arrayBuffer().catch(() => {})
    return response.status
  }

  /** Gets new tokens; what is not answered is tried again, as any app does. */
  async refresh(n: number): Promise<void> {
    const each = this.#at(n)
    for (let tries = 1;; tries++) {
      try {
        each.tokens = await oidc.refreshTokenGrant(each.app, each.tokens.refresh_token ?? "")
        return
      } catch (error) {
        if (tries === 10) throw error
        await sleep(500)
      }
    }
  }

  #at(n: number): Installed {
    const installed = this.#installed[n]
    if (installed === undefined) throw new Error(`No app was installed with code ${n}`)
    return installed
  }
}

interface Installed {
  readonly app: oidc.Configuration
  readonly address: string
  tokens: oidc.TokenEndpointResponse
}
