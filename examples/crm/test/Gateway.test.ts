import { equal, match } from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, createServer as createPort } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { after, before, describe, it } from "node:test"
import { setTimeout } from "node:timers/promises"
import { apiBehindGateway } from "../src/api.ts"

const isInstalled = spawnSync("nginx", ["-v"]).error === undefined

/** What the test server says of itself. */
interface Line {
  readonly issuer: string
  readonly control: { readonly url: string; readonly token: string }
}

describe("the API behind nginx", { skip: isInstalled ? false : "nginx is not installed" }, () => {
  const project = join(import.meta.dirname, "..")
  const folder = mkdtempSync(join(tmpdir(), "orbit-crm-"))
  const api = createServer(apiBehindGateway)
  const args = ["slotkey", "test-server", "--stdin", "--catalogue", "slotkey.catalogue.json"]
  const slotkey = spawn("npx", args, { cwd: project, stdio: ["pipe", "pipe", "inherit"] })
  let nginx: ReturnType<typeof spawn>
  let line: Line
  let address: string

  before(async () => {
    api.listen(0, "127.0.0.1")
    const [first] = await once(createInterface({ input: slotkey.stdout }), "line")
    line = JSON.parse(first)
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const servers = readFileSync(join(project, "nginx.conf"), "utf8")
      .replace("127.0.0.1:3000", new URL(line.issuer).host)
      .replace("127.0.0.1:8080", `127.0.0.1:${(api.address() as AddressInfo).port}`)
      .replace("127.0.0.1:8000", `127.0.0.1:${port}`)
    writeFileSync(join(folder, "nginx.conf"), inProcess(servers))
    nginx = spawn("nginx", ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], { stdio: "inherit" })
    while (!(await fetch(address).then(() => true, () => false))) await setTimeout(50)
  })

  after(async () => {
    slotkey.stdin.end()
    nginx?.kill()
    api.close()
    api.closeAllConnections()
    await Promise.all([slotkey, nginx].map((child) => child?.exitCode === null ? once(child, "close") : undefined))
    rmSync(folder, { recursive: true })
  })

  /** nginx in one process, with all its files in the folder. */
  const inProcess = (servers: string) => {
    const parts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    mkdirSync(join(folder, "tmp"))
    return `daemon off; master_process off; pid pid; events {}
      http { access_log off; ${parts.map((part) => `${part}_temp_path tmp/${part};`).join(" ")}
      ${servers} }`
  }

  /** Has the test server do something; what it answers. */
  const command = async (name: string, body: object) => {
    const { token, url } = line.control
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${url}/${name}`, { method: "POST", headers, body: JSON.stringify(body) })).json()
  }

  const call = (path: string, accessToken?: string, method = "GET", headers: Record<string, string> = {}) =>
    fetch(`${address}${path}`, {
      method,
      headers: { ...headers, ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }) }
    })

  it("serves those whom the user has let in, and believes no caller who they are", async () => {
    const { accessToken, user } = await command("tokens", { scopes: ["contacts.read"] })
    const forged = { "x-slotkey-user": "somebody-else" }
    const contacts = await (await call("/api/contacts", accessToken, "GET", forged)).text()
    match(contacts, new RegExp(`whom ${user} met`))
    equal((await call("/api/health")).status, 200)
    const nobody = await call("/api/contacts")
    equal(nobody.status, 401)
    match(nobody.headers.get("www-authenticate") ?? "", /^Bearer scope="contacts\.read", /)
  })

  it("names the scope that a token lacks, and closes what no app may do", async () => {
    const { accessToken } = await command("tokens", { scopes: ["contacts.read"] })
    const refused = await call("/api/contacts/7", accessToken, "DELETE")
    equal(refused.status, 403)
    match(
      refused.headers.get("www-authenticate") ?? "",
      /error="insufficient_scope".* scope="contacts\.read contacts\.write"/
    )
    equal((await call("/api/workspaces/1/exports", accessToken, "POST")).status, 403)
    equal((await call("/api/invoices", accessToken)).status, 403)
  })
})

const freePort = async () => {
  const server = createPort().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
