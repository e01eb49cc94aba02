import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join, resolve } from "node:path"
import manifest from "../package.json" with { type: "json" }
import * as Bundlers from "./bundlers.ts"
import { entryPoints } from "./entryPoints.ts"
import { run, whileRunning } from "./program.ts"

// What the check does in the folder of a team that installed the package with npm.

const say = (line: string) => process.stdout.write(`${line}\n`)

const fail = (message: string): never => {
  throw new Error(message)
}

/**
 * Installs the package from its tarball in an empty folder. Scripts are not run, for nothing needs one. What the
 * package brings may not take the place of the project's own Node, which `npm run` would find first.
 */
export const install = async (folder: string, tarball: string) => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "team", private: true, type: "module" }))
  const { "@types/node": types, "@typescript/native": typescript, vitest } = manifest.devDependencies
  const tools = [`typescript@${typescript}`, `@types/node@${types}`, `vitest@${vitest}`, ...Bundlers.packages]
  await npmInstall(folder, tarball, ...tools)
  if (existsSync(join(folder, "node_modules/.bin/node"))) fail("The package brings a Node")
  if (!existsSync(join(folder, "node_modules", manifest.name, "catalogue.schema.json"))) fail("Editors get no schema")
  const readme = readFileSync(join(folder, "node_modules", manifest.name, "README.md"), "utf8")
  const [relative] = /\]\((?!https:\/\/)[^)]*\)/.exec(readme) ?? []
  if (relative !== undefined) fail(`The README of the package has a link that leads nowhere there: ${relative}`)
}

/** Installs the package without its optional parts, and loads what is left. */
export const loadWithoutOptional = async (folder: string, tarball: string) => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "small", private: true, type: "module" }))
  await npmInstall(folder, "--omit=optional", tarball)
  await load(folder)
  say("loads without optional parts")
}

/** Fetches the oldest Node in which the library loads; its path. */
export const installOldestNode = async (folder: string): Promise<string> => {
  const oldest = manifest.engines.node.replace(">=", "")
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"
  const name = `${prefix}-${process.platform}-${process.arch}`
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  await npmInstall(folder, `${name}@${oldest}`)
  return join(folder, "node_modules", name, "bin/node")
}

const npmInstall = (cwd: string, ...packages: ReadonlyArray<string>) =>
  run({
    cwd,
    command: "npm",
    args: ["install", "--silent", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", ...packages]
  })

/** Loads each entry point in plain Node. */
export const load = async (cwd: string, node = process.execPath) => {
  const script = `
    for (const entry of ${JSON.stringify(entryPoints.map(({ specifier }) => specifier))}) {
      console.log(entry + ": " + Object.keys(await import(entry)).join(" "))
    }`
  const said = await run({ cwd, command: node, args: ["--input-type=module", "--eval", script] })
  for (const line of said.trim().split("\n")) if (line.endsWith(": ")) fail(`${line}nothing is exported`)
  return said.trim()
}

/** Loads what browsers load, without the modules that Node alone has. */
export const loadAsBrowser = async (cwd: string) => {
  const script = `
    import { isBuiltin, registerHooks } from "node:module"
    registerHooks({
      resolve: (name, context, next) => {
        if (isBuiltin(name)) throw new Error("A browser has no " + name)
        return next(name, context)
      }
    })
    await import("slotkey/client")`
  await run({ cwd, command: process.execPath, args: ["--input-type=module", "--eval", script] })
  say("slotkey/client: needs nothing of Node")
}

/** Bundles a program with the library, as those that run without `node_modules` are, and runs what comes out. */
export const bundleLibrary = async (cwd: string) => {
  const script = `
    import { makeGuard, makeOfflineGuard } from "slotkey/resource"
    const baseUrl = "https://api.example.com"
    const credential = "slk_rs_ours"
    const calls = [["POST", "/v2/bookings"], ["GET", "/v2/bookings"], ["GET", "/nowhere"]]
    const statusOf = (verdict) => verdict.allowed ? 200 : verdict.status
    Promise.all([makeOfflineGuard({ baseUrl }), makeGuard({ baseUrl, credential })]).then(async (guards) => {
      for (const guard of guards) {
        const verdicts = await Promise.all(calls.map(([method, target]) => guard.check({ method, target })))
        console.log(verdicts.map(statusOf).join(" "))
        await guard.close()
      }
    })`
  writeFileSync(join(cwd, "guarded.mjs"), script)
  for (const { bundle, name } of Bundlers.all) {
    // Outside of the folder, in which there are modules to find.
    const out = mkdtempSync(join(cwd, "..", "bundle-"))
    const file = await bundle(cwd, "guarded.mjs", out)
    const said = await run({ cwd: out, command: process.execPath, args: [file] })
    if (said !== "200 401 403\n200 401 403\n") fail(`The library, bundled by ${name}, says: ${said}`)
  }
  say(`slotkey/resource: runs when it is bundled by ${Bundlers.all.map(({ name }) => name).join(", ")}`)
}

/** Bytes of an image of the test kit that was cut off: a third of it. */
const partLength = 5_000_000

/**
 * Runs the test kit in plain Node: it makes the image of an empty database, and starts from it the next time. If a part
 * of it is missing, it makes the image again.
 */
export const useTestKit = async (cwd: string, oldestNode: string) => {
  const script = `
    const { start } = await import("slotkey/testing")
    const slotkey = await start()
    const call = async ({ accessToken }) =>
      (await slotkey.fetch("/v2/me", { headers: { authorization: "Bearer " + accessToken } })).status
    const statuses = [await call(await slotkey.tokens()), await call(await slotkey.revokedTokens())]
    console.log(statuses.join(" "), (await slotkey.mails()).length > 0 ? "mails" : "no mails")
    await slotkey.stop()`
  writeFileSync(join(cwd, "kit.mjs"), script)
  const cache = join(cwd, "node_modules/.cache/slotkey")
  const images = () => readdirSync(cache).join(" ")
  // Images that other programs of this user have made do not count.
  const env = { ...process.env, XDG_CACHE_HOME: join(cwd, "cache") }
  const use = async (node: string) => {
    const said = (await run({ cwd, command: node, args: ["kit.mjs"], env })).trim()
    if (said !== "200 401 mails") fail(`The test kit says: ${said}`)
    return images()
  }
  const [first, second] = [await use(process.execPath), await use(oldestNode)]
  if (!/^empty-[^ ]+\.tar$/.test(first) || second !== first) fail(`The test kit keeps ${first}, then ${second}`)
  const image = join(cache, first)
  truncateSync(image, partLength)
  if (await use(process.execPath) !== first || statSync(image).size === partLength) {
    fail("The test kit keeps a part of an image")
  }
  say(`slotkey/testing: issues tokens, and revokes them; starts from an image, in Node ${manifest.engines.node}, too`)
}

/** Runs the first test that docs/testing.md shows, in both kinds of workers that vitest has. */
export const runVitest = async (cwd: string) => {
  const example = resolve(import.meta.dirname, "../test/testing/examples/Kit.test.ts")
  const code = readFileSync(example, "utf8").replace("../../../src/testing.ts", "slotkey/testing")
  writeFileSync(join(cwd, "kit.test.ts"), code)
  for (const pool of ["threads", "forks"]) {
    const args = ["node_modules/vitest/vitest.mjs", "run", `--pool=${pool}`, "--testTimeout=60000"]
    await run({ cwd, command: process.execPath, args })
  }
  say("slotkey/testing: in vitest's threads and forks")
}

/** Has the command name the Node that it needs, where it gets an older one. */
export const refuseOlderNode = async (cwd: string, oldestNode: string) => {
  const args = ["node_modules/slotkey/dist/bin.cjs", "--version"]
  const refusal = await run({ cwd, command: oldestNode, args }).then(() => "nothing", String)
  if (!/^Slotkey needs Node \d+, and this is v\d+/m.test(refusal)) fail(`slotkey says in an older Node: ${refusal}`)
}

const slotkey = (cwd: string, ...args: ReadonlyArray<string>) => ({
  cwd,
  command: join(cwd, "node_modules/.bin/slotkey"),
  args
})

/** Starts a test server, and has it revoke a token. */
export const serveTests = async (cwd: string) => {
  await whileRunning(slotkey(cwd, "test-server"), /^\{.*\}$/m, async ([line]) => {
    const { control, issuer } = JSON.parse(line)
    const headers = { authorization: `Bearer ${control.token}` }
    const body = JSON.stringify({ state: "revoked" })
    const { accessToken } = await (await fetch(`${control.url}/tokens`, { method: "POST", headers, body })).json()
    const { status } = await fetch(`${issuer}/v2/me`, { headers: { authorization: `Bearer ${accessToken}` } })
    if (status !== 401) fail(`The test server answers a revoked token with ${status}`)
  })
  say("slotkey test-server: answers")
}

/** Starts the server, and asks it for its metadata and for a page with a file of the package. */
export const serve = async (cwd: string) => {
  const version = await run(slotkey(cwd, "--version"))
  const env = { ...process.env, PORT: String(await freePort()), OPERATOR_PORT: "0", DATA_DIR: "data" }
  await whileRunning({ ...slotkey(cwd, "serve"), env }, /set up +(http:\/\/[^/]+)\//, async ([, url = ""]) => {
    const page = await (await fetch(`${url}/sign-in`)).text()
    const [style = ""] = /\/assets\/[^"]*slotkey\.css/.exec(page) ?? []
    for (const path of ["/.well-known/oauth-authorization-server", "/docs", style]) {
      const { status } = await fetch(new URL(path, url))
      if (status !== 200) fail(`${path} is answered with ${status}`)
    }
  })
  say(`${version.trim()} serve: answers`)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
