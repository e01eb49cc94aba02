import { Effect } from "effect"
import { join } from "node:path"
import type { Agent, Answer, Identity } from "./Agent.ts"
import { comeBack, home, questionIn } from "./Home.ts"

/**
 * Folder of the package `@modelcontextprotocol/inspector`, where it is installed. It is no dependency of this project:
 * it brings 57 MB, most of them for its own interfaces.
 */
const folder = process.env["MCP_INSPECTOR"]

/** True if the journey of the inspector can run here, or must. */
export const isInspectorAvailable = folder !== undefined || process.env["TEST_NO_SKIP"] === "1"

/** MCP inspector at the command line: a process for each call, which remembers by what it keeps in its home. */
export const inspector = Effect.fnUntraced(function*({ document, redirectUri, server }: Identity) {
  const start = yield* home
  const client = document === undefined ? [] : ["--client-metadata-url", document]
  const addresses = ["--server-url", server, "--transport", "http", "--callback-url", redirectUri]
  const inspecting = [join(folder ?? "", "clients/launcher/build/index.js"), "--cli", ...addresses, ...client]
  const run = (tool: string) => {
    const call = ["--method", "tools/call", "--tool-name", tool, "--format", "json"]
    const child = start([...inspecting, ...call], {
      MCP_AUTO_OPEN_ENABLED: "true",
      MCP_INSPECTOR_SECRET_STORE: "file"
    })
    // It has its user confirm before it asks for more scopes.
    child.stdin.end("y\n")
    let output = ""
    let complaint = ""
    child.stdout.on("data", (chunk) => output += chunk)
    const asks = new Promise<Answer>((resolve) =>
      child.stderr.on("data", (chunk) => {
        complaint += chunk
        const url = questionIn(complaint)
        if (url !== undefined) resolve({ asks: url })
      })
    )
    const says = new Promise<Answer>((resolve, reject) =>
      child.once("close", (code) =>
        code === 0
          ? resolve({ says: String(JSON.parse(output).result.content[0].text) })
          : reject(new Error(`The inspector ended with ${code}: ${complaint}${output}`)))
    )
    return { asks, says }
  }

  let running: (ReturnType<typeof run> & { hasAsked?: boolean }) | undefined
  const agent: Agent = {
    call: async (tool) => {
      running ??= run(tool)
      const answer = await (running.hasAsked ? running.says : Promise.race([running.asks, running.says]))
      running = "asks" in answer ? { ...running, hasAsked: true } : undefined
      return answer
    },
    back: comeBack
  }
  return agent
})
