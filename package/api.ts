import { CompilerState, Extractor, ExtractorConfig, type IConfigFile } from "@microsoft/api-extractor"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import manifest from "../package.json" with { type: "json" }

// The reports in package/api show what the package offers to programs: each name that an entry point exports, with its types.
// A change of them is a change that users may notice, so it is seen in the review and belongs into CHANGELOG.md.

const reports = resolve(import.meta.dirname, "api")

/**
 * Compares the declarations of an installed package to the reports. Answers the reports that are not true any more, after
 * it has written them anew if `UPDATE_API` is set.
 */
export const outdatedReports = (folder: string): ReadonlyArray<string> => {
  const made = join(folder, "api")
  mkdirSync(made)
  mkdirSync(reports, { recursive: true })
  const declarations = Object.values(manifest.exports).map(({ types }) => join(folder, types))
  const configurations = declarations.map((file) => configurationOf(folder, file, made))
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

const configurationOf = (folder: string, mainEntryPointFilePath: string, reportFolder: string) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: {
        enabled: true,
        reportFolder,
        reportTempFolder: reportFolder,
        reportFileName: `${nameOf(mainEntryPointFilePath)}.api.md`
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false }
    } satisfies IConfigFile,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json")
  })

const compilerOptions = { module: "NodeNext", target: "ES2024", lib: ["ES2024", "DOM"], strict: true, types: ["node"] }

const nameOf = (declarations: string): string =>
  Object.entries(manifest.exports).find(([, { types }]) => declarations.endsWith(types.slice(1)))?.[0]
    .replace(/^\.\/?/, "") || "index"

// What it has to say goes into the report.
const handled = (message: { handled: boolean }) => {
  message.handled = true
}
