import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport
} from "@modelcontextprotocol/client"
import { deepEqual, equal, match } from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createPort } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { after, before, describe, it } from "node:test"
import { setTimeout } from "node:timers/promises"
import { makeGuard } from "slotkey/resource"
import { behindGateway } from "../src/gateway.ts"
import { withLibrary } from "../src/library.ts"

const project = join(import.meta.dirname, "..")
const slotkey = spawn("npx", ["slotkey", "test-server", "--stdin"], {
  cwd: project,
  stdio: ["pipe", "pipe", "inherit"]
})
const stops: Array<() => unknown> = []

/** What the test server says of itself. */
let line: {
  readonly issuer: string
  readonly administrator: { readonly apiKey: string }
  readonly credential: string
  readonly control: { readonly url: string; readonly token: string }
}

before(async () => {
  const [first] = await once(createInterface({ input: slotkey.stdout }), "line")
  line = JSON.parse(first)
})
after(async () => {
  for (const stop of stops) await stop()
  slotkey.stdin.end()
  if (slotkey.exitCode === null) await once(slotkey, "close")
})

/** Has the test server do something; what it answers. */
const command = async (name: string, body: object = {}) => {
  const { token, url } = line.control
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${url}/${name}`, { method: "POST", headers, body: JSON.stringify(body) })).json()
}

/** Registers the resource as an administrator does; its id. */
const register = async (identifier: string): Promise<string> => {
  const answer = await fetch(`${line.issuer}/v2/admin/resources`, {
    method: "POST",
    headers: { authorization: `Bearer ${line.administrator.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      identifier,
      name: "Bookings",
      scopes: ["PROFILE_READ", "BOOKING_READ"],
      baseScopes: ["PROFILE_READ"]
    })
  })
  equal(answer.status, 201)
  return (await answer.json()).data.id
}

const serve = async (listener: RequestListener, port = 0): Promise<number> => {
  const server = createServer(listener).listen(port, "127.0.0.1")
  await once(server, "listening")
  stops.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

const freePort = async () => {
  const server = createPort().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Starts the MCP server in each of the two ways, and answers its address. */
const doors = {
  library: async () => {
    const port = await freePort()
    const resource = `http://127.0.0.1:${port}/mcp`
    await register(resource)
    const guard = await makeGuard({ baseUrl: line.issuer, resource, credential: line.credential })
    stops.push(() => guard.close())
    await serve(withLibrary(guard, { issuer: line.issuer, resource }), port)
    return resource
  },
  gateway: async () => {
    const port = await freePort()
    const resource = `http://127.0.0.1:${port}/mcp`
    const folder = mkdtempSync(join(tmpdir(), "mcp-"))
    const servers = readFileSync(join(project, "nginx.conf"), "utf8")
      .replace("RESOURCE_ID", await register(resource))
      .replace("127.0.0.1:3000", new URL(line.issuer).host)
      .replace("127.0.0.1:8080", `127.0.0.1:${await serve(behindGateway(resource))}`)
      .replace("127.0.0.1:8000", `127.0.0.1:${port}`)
    const parts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((part) => `${part}_temp_path tmp/${part};`)
    mkdirSync(join(folder, "tmp"))
    writeFileSync(
      join(folder, "nginx.conf"),
      `daemon off; master_process off; pid pid; events {} http { access_log off; ${parts.join(" ")} ${servers} }`
    )
    const nginx = spawn("nginx", ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], { stdio: "inherit" })
    stops.push(async () => {
      nginx.kill()
      if (nginx.exitCode === null) await once(nginx, "close")
      rmSync(folder, { recursive: true })
    })
    while (!(await fetch(resource).then(() => true, () => false))) await setTimeout(50)
    return resource
  }
}

/** An agent that is registered as `id`, and what it asks its user for. */
const agentOf = (id: string, asked: Array<URL>): OAuthClientProvider => {
  let tokens: Awaited<ReturnType<OAuthClientProvider["tokens"]>>
  let verifier = ""
  let discovered: OAuthDiscoveryState | undefined
  return {
    redirectUrl: "http://127.0.0.1/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1/callback"] },
    clientInformation: () => ({ client_id: id, issuer: line.issuer }),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void asked.push(url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => void (discovered = state),
    discoveryState: () => discovered
  }
}

const isInstalled = spawnSync("nginx", ["-v"]).error === undefined

for (const [door, start] of Object.entries(doors)) {
  describe(`the MCP server with the ${door}`, { skip: door === "library" || isInstalled ? false : "no nginx" }, () => {
    it("lets an agent in with what its user gave, and asks for more when a tool needs it", async () => {
      const resource = await start()
      const { id: user } = await command("user")
      const { clientId } = await command("app", {
        kind: "public",
        scopes: ["PROFILE_READ", "BOOKING_READ"],
        redirectUri: "http://127.0.0.1/callback"
      })
      const asked: Array<URL> = []
      const authProvider = agentOf(clientId, asked)
      /** Calls a tool, as soon as the user has allowed what the agent asks for. */
      const call = async (name: string): Promise<string> => {
        const client = new Client({ name: "agent", version: "1.0.0" })
        const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider })
        const before = asked.length
        try {
          await client.connect(transport)
          const { content: [first] } = await client.callTool({ name })
          return first?.type === "text" ? first.text : ""
        } catch (error) {
          const url = asked[before]
          if (url === undefined) throw error
          const { location } = await command("consent", { url: url.href, user, decision: "allow" })
          await transport.finishAuth(new URL(location).searchParams)
          return await call(name)
        } finally {
          await client.close()
        }
      }

      equal(await call("who_am_i"), user)
      equal(await call("list_bookings"), `Dentist, for ${user}`)
      deepEqual(asked.map(({ searchParams }) => [searchParams.get("resource"), searchParams.get("scope")]), [
        [resource, "PROFILE_READ"],
        [resource, "PROFILE_READ BOOKING_READ"]
      ])

      // A token for the API itself opens nothing here.
      const { accessToken } = await command("tokens", { scopes: ["PROFILE_READ"] })
      const foreign = await fetch(resource, { method: "POST", headers: { authorization: `Bearer ${accessToken}` } })
      equal(foreign.status, 401)
      match(foreign.headers.get("www-authenticate") ?? "", /error="invalid_token".* scope="PROFILE_READ"/)
    })
  })
}
