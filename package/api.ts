import { CompilerState, Extractor, ExtractorConfig, type IConfigFile } from "@microsoft/api-extractor"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { declarationIn, entryPoints } from "./entryPoints.ts"

// The reports in package/api show what the package offers to programs: each name that an entry point exports, with its
// types. A change of them is a change that users may notice, so it is seen in the review and belongs into CHANGELOG.md.
// This compares them to the compiler's declarations, which it has made in the folder that it is given, as a process of
// its own, because it computes for long. In those of the package, which are joined, the extractor does not see what
// `export * as` exports.

const reports = resolve(import.meta.dirname, "api")

/** Reports that are not true any more; rewritten if `UPDATE_API` is set. */
const outdatedReports = (folder: string): ReadonlyArray<string> => {
  const made = join(folder, "api")
  mkdirSync(made)
  mkdirSync(reports, { recursive: true })
  const declared = join(folder, "declared")
  execFileSync(join(reports, "../../node_modules/.bin/tsc"), [
    "--project",
    resolve(reports, ".."),
    "--outDir",
    declared
  ])
  const declarations = entryPoints.map(({ name }) => declarationIn(declared, name))
  const configurations = entryPoints.map(({ name }) =>
    configurationOf(folder, name, declarationIn(declared, name), made)
  )
  const [first] = configurations
  if (first === undefined) return []
  const compilerState = CompilerState.create(first, { additionalEntryPoints: declarations })
  return configurations.flatMap((configuration) => {
    Extractor.invoke(configuration, { compilerState, localBuild: true, messageCallback: handled })
    const report = readFileSync(configuration.reportFilePath, "utf8")
    const kept = join(reports, basename(configuration.reportFilePath))
    if (existsSync(kept) && readFileSync(kept, "utf8") === report) return []
    if (process.env["UPDATE_API"] !== undefined) writeFileSync(kept, report)
    return [basename(kept)]
  })
}

const configurationOf = (folder: string, name: string, mainEntryPointFilePath: string, reportFolder: string) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: {
        enabled: true,
        reportFolder,
        reportTempFolder: reportFolder,
        reportFileName: `${name.replace(/\/index$/, "")}.api.md`
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false }
    } satisfies IConfigFile,
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve(reports, "../../package.json")
  })

const compilerOptions = { module: "NodeNext", target: "ES2024", lib: ["ES2024", "DOM"], strict: true, types: ["node"] }

// What it has to say goes into the report.
const handled = (message: { handled: boolean }) => {
  message.handled = true
}

const [, , folder = ""] = process.argv
const outdated = outdatedReports(folder)
if (outdated.length === 0) process.stdout.write("package/api: the reports are true\n")
else if (process.env["UPDATE_API"] !== undefined) {
  process.stdout.write(`package/api: written anew: ${outdated.join(", ")}\n`)
} else {
  const changed = `What the package offers has changed: ${outdated.join(", ")}.`
  process.stderr.write(`${changed} UPDATE_API=1 npm run package writes them anew.\n`)
  process.exitCode = 1
}
