import { Effect } from "effect"
import { createInterface } from "node:readline"
import type { Agent, Answer, Identity } from "./Agent.ts"
import { comeBack, home, questionIn } from "./Home.ts"

/** mcp-remote, as desktop clients start it: they speak with it by lines, and it with the MCP server. */
export const mcpRemote = Effect.fnUntraced(function*({ document, redirectUri, server }: Identity) {
  const start = yield* home
  const { hostname, pathname, port } = new URL(redirectUri)
  const args = [server, port, "--host", hostname, "--callback-path", pathname, "--auth-timeout", "120"]
  const client = document === undefined ? [] : ["--client-metadata-url", document]
  const child = start(["node_modules/mcp-remote/dist/proxy.js", ...args, ...client])

  const asked: Array<URL> = []
  let heard = () => {}
  let complaint = ""
  createInterface({ input: child.stderr }).on("line", (line) => {
    complaint += `${line}\n`
    const url = questionIn(line)
    if (url === undefined) return
    asked.push(url)
    heard()
  })
  const question = () =>
    new Promise<Answer>((resolve) => {
      heard = () => {
        const url = asked.shift()
        if (url !== undefined) resolve({ asks: url })
      }
      heard()
    })

  const waiting = new Map<number, (message: Message) => void>()
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: Message = JSON.parse(line)
    if (message.id !== undefined) waiting.get(message.id)?.(message)
  })
  let last = 0
  const send = (method: string, params: object) => {
    const id = ++last
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    return new Promise<Message>((resolve) => waiting.set(id, resolve))
  }
  const clientInfo = { name: "desktop", version: "1.0.0" }
  const hello = send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })

  let pending: Promise<Message> | undefined
  const agent: Agent = {
    call: async (tool) => {
      pending ??= hello.then(() => send("tools/call", { name: tool, arguments: {} }))
      const answer = pending.then(({ error, result }): Answer => {
        pending = undefined
        if (error !== undefined) throw new Error(`mcp-remote: ${error.message}\n${complaint}`)
        return { says: String(result?.content?.[0]?.text) }
      })
      return await Promise.race([question(), answer])
    },
    back: comeBack
  }
  return agent
})

interface Message {
  readonly id?: number
  readonly error?: { readonly message: string }
  readonly result?: { readonly content?: ReadonlyArray<{ readonly text: string }> }
}
