import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import manifest from "../package.json" with { type: "json" }
import { crmCatalogue } from "../test/support/CrmCatalogue.ts"
import { entryPoints } from "./entryPoints.ts"
import { run } from "./program.ts"

// What the check holds the declarations of the package to, in the folder of a team that installed it with npm.

const say = (line: string) => process.stdout.write(`${line}\n`)

const fail = (message: string): never => {
  throw new Error(message)
}

const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  module: "NodeNext",
  target: "ES2024",
  types: ["node"],
  noEmit: true
}

/** Compiles files in a folder of their own beneath the team's; rejects with what the compiler says. */
const compile = async (
  team: string,
  name: string,
  files: Readonly<Record<string, string>>,
  compilerOptions: Readonly<Record<string, unknown>>
) => {
  const cwd = join(team, name)
  mkdirSync(cwd)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text)
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  await run({ cwd, command: process.execPath, args: [join(team, "node_modules/typescript/bin/tsc")] })
}

/** Compiles against each entry point under the strictest settings. */
export const checkTypes = async (team: string) => {
  const imports = entryPoints.map(({ specifier }, index) => `export * as entry${index} from "${specifier}"`)
  await compile(team, "strict", { "team.ts": imports.join("\n") }, strictest)

  const declarations = join(team, "node_modules", manifest.name, "dist/types")
  for (const file of readdirSync(declarations, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue
    const code = readFileSync(join(declarations, file), "utf8")
      .replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\*[^]*?\*\/|\/\/.*/g, "")
    if (/\bany\b/.test(code)) fail(`The declarations ${file} say any`)
  }
  say("types: strict, exactOptionalPropertyTypes, without skipLibCheck; none is any")
}

/** Compiles what browsers use without the types of Node, which a program for them may lack. */
export const checkBrowserTypes = async (team: string) => {
  const imports = ["client", "resource"].map((entry) => `export * as ${entry} from "${manifest.name}/${entry}"`)
  const options = { ...strictest, types: [], lib: ["ES2024", "DOM", "DOM.Iterable"] }
  await compile(team, "browser", { "page.ts": imports.join("\n") }, options)
  say("types: slotkey/client and slotkey/resource without those of Node")
}

/**
 * Writes the declarations of programs of their own: the examples of the docs, and one that hands on what it has
 * imported.
 */
export const checkDeclarations = async (team: string) => {
  const files = examples.flatMap((folder) =>
    readdirSync(join(root, folder)).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts")).map((file) =>
      [basename(file), ofTeam(readFileSync(join(root, folder, file), "utf8"))] as const
    )
  )
  const emitting = { declaration: true, noEmit: false, emitDeclarationOnly: true, outDir: "out" }
  const rewriting = { allowImportingTsExtensions: true, rewriteRelativeImportExtensions: true }
  const options = { ...strictest, skipLibCheck: true, ...emitting, ...rewriting }
  await compile(team, "declarations", { ...Object.fromEntries(files), "HandedOn.ts": handedOn }, options)
  say(`types: declarations of ${files.length} examples can be written`)
}

/** Has the compiler know the scopes of another catalogue, by what `slotkey catalogue types` prints, and no other. */
export const checkRegistration = async (team: string) => {
  const file = join(team, "crm.catalogue.json")
  writeFileSync(file, JSON.stringify(crmCatalogue))
  const command = join(team, "node_modules/.bin/slotkey")
  const declaration = await run({ cwd: team, command, args: ["catalogue", "types", file] })
  await compile(team, "registered", { "slotkey.d.ts": declaration, "team.ts": registered }, strictest)
  say("types: a catalogue that is registered gives every entry point its scopes")
}

const registered = `
  import type { Scope } from "slotkey"
  import type { makeClient } from "slotkey/client"
  import { needs, type Principal } from "slotkey/resource"
  import type { AppOptions } from "slotkey/testing"
  import type { Effect } from "effect"

  type Client = Effect.Success<ReturnType<typeof makeClient>>
  type Registered = Parameters<Client["oauthClients"]["register"]>[0]["payload"]["scopes"][number]

  export const names: ReadonlyArray<Scope.Scope> = ["contacts.read", "members.write"]
  export const needed = needs("contacts.write")
  export const held: NonNullable<Principal["scopes"]> = names
  export const app: AppOptions = { scopes: ["deals.read"] }
  export const asked: Registered = "account.read"
  // @ts-expect-error a scope mistyped
  needs("contacts.raed")
  // @ts-expect-error a scope of the built-in catalogue
  export const other: Registered = "BOOKING_READ"
  // @ts-expect-error another one
  export const otherApp: AppOptions = { scopes: ["BOOKING_READ"] }`

const root = resolve(import.meta.dirname, "..")

const examples = ["test/app/examples", "test/core/grants/examples", "test/doors/resource/examples"]

/** Text of an example as it stands in the program of a team. */
const ofTeam = (text: string): string =>
  text.replaceAll(/"[./]+\/src\/(\w+)\.ts"/g, (_, entry) => `"${manifest.name}${entry === "index" ? "" : `/${entry}`}"`)
    .replaceAll(/"\.\.\/[^"]*\/(\w+\.ts)"/g, `"./$1"`)

const handedOn = `
  import { Layer } from "effect"
  import { databaseLayer, LocalAccounts, Routes, Services, StandaloneRoutes, tracingLayer } from "slotkey"
  import { layer, layerWith, server, start, TestServer } from "slotkey/testing"
  import { Jobs, Workers } from "slotkey/workers"
  import { Users } from "./OwnUsers.ts"

  export const services = Services
  export const ours = Layer.provideMerge(Services, Users)
  export const accounts = LocalAccounts
  export const routes = [Routes, StandaloneRoutes]
  export const beneath = [databaseLayer, tracingLayer("team")]
  export const kit = TestServer.layer()
  export const kitForOurs = TestServer.layer({ users: Users })
  export const begin = () => start()
  export const smaller = [layer(), layerWith(Users), server]
  export const working = [Jobs, Workers]`
