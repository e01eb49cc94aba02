import * as current from "@modelcontextprotocol/client"
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js"
import * as first from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { Agent, Answer, Identity } from "./Agent.ts"

/** Client with the SDK of TypeScript, 1.x. */
export const sdk1 = (identity: Identity): Agent => {
  const kept = keep(identity)
  const transport = () => new StreamableHTTPClientTransport(new URL(identity.server), { authProvider: kept.provider })
  let last = transport()
  const call = async (tool: string): Promise<Answer> => {
    const client = new Client(self)
    last = transport()
    try {
      await client.connect(last)
      return { says: textOf(await client.callTool({ name: tool })) }
    } catch (error) {
      if (error instanceof first.UnauthorizedError) return { asks: kept.asked() }
      // While there is a refresh token, this SDK answers a 403 with a refresh, which never gives more scopes.
      if (error instanceof StreamableHTTPError && error.code === 403 && kept.forgetRefreshToken()) {
        return await call(tool)
      }
      throw error
    } finally {
      await client.close()
    }
  }
  return { call, back: (callback) => last.finishAuth(callback.searchParams.get("code") ?? "") }
}

/** Client with the SDK of TypeScript, 2.x, by the current revision of MCP. */
export const sdk2 = (identity: Identity): Agent => {
  const kept = keep(identity)
  const transport = () =>
    new current.StreamableHTTPClientTransport(new URL(identity.server), { authProvider: kept.provider })
  let last = transport()
  return {
    call: async (tool) => {
      const client = new current.Client(self, { versionNegotiation: { mode: "auto" } })
      last = transport()
      try {
        await client.connect(last)
        return { says: textOf(await client.callTool({ name: tool })) }
      } catch (error) {
        if (error instanceof current.UnauthorizedError) return { asks: kept.asked() }
        throw error
      } finally {
        await client.close()
      }
    },
    back: (callback) => last.finishAuth(callback.searchParams)
  }
}

const self = { name: "agent", version: "1.0.0" }

const textOf = (result: object): string => {
  const [first] = "content" in result && Array.isArray(result.content) ? result.content : []
  return String(first?.text)
}

/** What the SDK has its host keep, in memory. */
const keep = ({ document, redirectUri }: Identity) => {
  let client: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let verifier = ""
  let asked: URL | undefined
  let discovered: OAuthDiscoveryState | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    ...(document === undefined ? {} : { clientMetadataUrl: document }),
    clientMetadata: {
      client_name: "Agent by registration",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"]
    },
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (asked = url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    discoveryState: () => discovered,
    saveDiscoveryState: (state) => void (discovered = state),
    invalidateCredentials: (scope) => {
      if (scope === "all" || scope === "client") client = undefined
      if (scope === "all" || scope === "tokens") tokens = undefined
    }
  }
  return {
    provider,
    /** False if there was none. */
    forgetRefreshToken: () => {
      if (tokens?.refresh_token === undefined) return false
      const { refresh_token: _, ...rest } = tokens
      tokens = rest
      return true
    },
    asked: () => {
      if (asked === undefined) throw new Error("The client has not asked its user")
      return asked
    }
  }
}
