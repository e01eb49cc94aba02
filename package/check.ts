import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import manifest from "../package.json" with { type: "json" }
import { outdatedReports } from "./api.ts"
import { runExamples } from "./examples.ts"

// Packs the package, installs it into an empty folder as a team would, and holds it there to what it promises: its size, its
// entry points in plain Node, their types under the strictest settings, the reports of them, the command, which serves, and
// the examples.

const root = resolve(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "slotkey-package-"))

const run = (command: string, ...args: ReadonlyArray<string>) =>
  execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

const say = (line: string) => process.stdout.write(`${line}\n`)

const fail = (message: string): never => {
  throw new Error(message)
}

const largest = 400_000

const pack = (): string => {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, stdio: "ignore" })
  const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? fail("npm pack made no tarball")
  const { size } = statSync(join(folder, tarball))
  if (size > largest) fail(`The package has ${size} bytes, more than ${largest}`)
  say(`${tarball}: ${Math.round(size / 1_000)} kB`)
  return tarball
}

const install = (tarball: string) => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "team", private: true, type: "module" }))
  const { "@types/node": types, typescript } = manifest.devDependencies
  run(
    "npm",
    "install",
    "--silent",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    `./${tarball}`,
    `typescript@${typescript}`,
    `@types/node@${types}`
  )
}

/** Loads each entry point in plain Node. */
const load = () => {
  for (const entry of specifiers) {
    const names = run(
      process.execPath,
      "--input-type=module",
      "--eval",
      `console.log(Object.keys(await import("${entry}")).join(" "))`
    )
    if (names.trim() === "") fail(`${entry} exports nothing`)
    say(`${entry}: ${names.trim()}`)
  }
}

const checkTypes = () => {
  const imports = specifiers.map((entry, index) => `export * as entry${index} from "${entry}"`)
  writeFileSync(join(folder, "team.ts"), imports.join("\n"))
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: "NodeNext",
    target: "ES2024",
    types: ["node"],
    noEmit: true
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["team.ts"] }))
  run(process.execPath, "node_modules/typescript/bin/tsc")
  say("types: strict, exactOptionalPropertyTypes, without skipLibCheck")
}

const checkReports = (tarball: string) => {
  // Not in node_modules, where declarations are taken for somebody else's.
  run("tar", "--extract", "--file", tarball)
  const outdated = outdatedReports(join(folder, "package"))
  if (outdated.length === 0) return say("package/api: the reports are true")
  if (process.env["UPDATE_API"] === undefined) {
    fail(`What the package offers has changed: ${outdated.join(", ")}. UPDATE_API=1 npm run package writes them anew`)
  }
  say(`package/api: written anew: ${outdated.join(", ")}`)
}

/** Runs the test kit in plain Node: it makes the image of an empty database, and starts from it the next time. */
const useTestKit = () => {
  const script = `
    const { start } = await import("slotkey/testing")
    const slotkey = await start()
    const call = async ({ accessToken }) =>
      (await slotkey.fetch("/v2/me", { headers: { authorization: "Bearer " + accessToken } })).status
    const statuses = [await call(await slotkey.tokens()), await call(await slotkey.revokedTokens())]
    console.log(statuses.join(" "), (await slotkey.mails()).length > 0 ? "mails" : "no mails")
    await slotkey.stop()`
  writeFileSync(join(folder, "kit.mjs"), script)
  const images = () => readdirSync(join(folder, "node_modules/.cache/slotkey")).join(" ")
  const use = () => {
    const said = run(process.execPath, "kit.mjs").trim()
    if (said !== "200 401 mails") fail(`The test kit says: ${said}`)
    return images()
  }
  const [first, second] = [use(), use()]
  if (!/^empty-[^ ]+\.tar$/.test(first) || second !== first) fail(`The test kit keeps ${first}, then ${second}`)
  say("slotkey/testing: issues tokens, and revokes them; starts from an image")
}

/** Starts a test server, and has it revoke a token. */
const serveTests = async () => {
  const child = spawn(join(folder, "node_modules/.bin/slotkey"), ["test-server"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  try {
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended])
    const { control, issuer } = JSON.parse(String(line))
    const headers = { authorization: `Bearer ${control.token}` }
    const body = JSON.stringify({ state: "revoked" })
    const { accessToken } = await (await fetch(`${control.url}/tokens`, { method: "POST", headers, body })).json()
    const { status } = await fetch(`${issuer}/v2/me`, { headers: { authorization: `Bearer ${accessToken}` } })
    if (status !== 401) fail(`The test server answers a revoked token with ${status}`)
    say("slotkey test-server: answers")
  } finally {
    child.kill("SIGTERM")
    await ended
  }
}

/** Starts the command, and asks it for its metadata and for a page with a file of the package. */
const serve = async () => {
  say(`${run("node_modules/.bin/slotkey", "--version").trim()}`)
  const child = spawn(join(folder, "node_modules/.bin/slotkey"), ["serve"], {
    cwd: folder,
    env: { ...process.env, PORT: String(await freePort()), OPERATOR_PORT: "0", DATA_DIR: "data" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  try {
    const url = await address(child.stdout, ended)
    const page = await (await fetch(`${url}/sign-in`)).text()
    const [style = ""] = /\/assets\/[^"]*slotkey\.css/.exec(page) ?? []
    for (const path of ["/.well-known/oauth-authorization-server", "/docs", style]) {
      const { status } = await fetch(new URL(path, url))
      if (status !== 200) fail(`${path} is answered with ${status}`)
    }
    say("slotkey serve: answers")
  } finally {
    child.kill("SIGINT")
    await ended
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** The address that the server prints at its start. */
const address = (output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    output.on("data", (chunk) => {
      text += String(chunk)
      const [, url] = /set up +(http:\/\/[^/]+)\//.exec(text) ?? []
      if (url !== undefined) resolve(url)
    })
    void ended.then(() => reject(new Error(`slotkey serve ended: ${text}`)))
  })

const specifiers = Object.keys(manifest.exports).map((path) => path.replace(/^\./, manifest.name))

try {
  const tarball = pack()
  install(tarball)
  load()
  checkTypes()
  useTestKit()
  checkReports(tarball)
  await serve()
  await serveTests()
  await runExamples(join(folder, tarball))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
