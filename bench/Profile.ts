import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: ReadonlyArray<number>
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

const folder = "bench/profiles"

/** Flags that make a Node process write its profile when it ends. */
export const flags = (name: string): ReadonlyArray<string> => [
  "--cpu-prof",
  `--cpu-prof-dir=${folder}`,
  `--cpu-prof-name=${name.replaceAll(/\W+/g, "_")}.cpuprofile`
]

/** Deletes the profiles of earlier runs, which would be summed up with those of this one. */
export const clear = (): void => rmSync(folder, { recursive: true, force: true })

/** A summary of each profile in the folder. */
export const summaries = (): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => name.endsWith(".cpuprofile")).map((name) => summarize(join(folder, name)))

/** Time in a `.cpuprofile`: the share of each package and file, and the costliest functions. */
const summarize = (file: string): string => {
  const { nodes, samples, timeDeltas }: CpuProfile = JSON.parse(readFileSync(file, "utf8"))
  const micros = new Map<number, number>()
  samples.forEach((id, i) => micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[i] ?? 0)))
  const byPlace = new Map<string, number>()
  const byFunction = new Map<string, number>()
  let busy = 0
  for (const { callFrame, id } of nodes) {
    const spent = micros.get(id) ?? 0
    if (spent === 0 || callFrame.functionName === "(idle)") continue
    busy += spent
    const place = placeOf(callFrame.url) || callFrame.functionName || "(engine)"
    byPlace.set(place, (byPlace.get(place) ?? 0) + spent)
    const name = `${callFrame.functionName || "(anonymous)"} ${placeOf(callFrame.url)}:${callFrame.lineNumber + 1}`
    byFunction.set(name, (byFunction.get(name) ?? 0) + spent)
  }
  const top = (shares: Map<string, number>, count: number) =>
    [...shares].sort((a, b) => b[1] - a[1]).slice(0, count)
      .map(([name, spent]) => `${(spent / busy * 100).toFixed(1).padStart(5)} %  ${name}`).join("\n")
  return `${file}: busy ${(busy / 1e6).toFixed(1)} s\n\n${top(byPlace, 25)}\n\n${top(byFunction, 40)}`
}

const placeOf = (url: string): string => {
  const inPackage = /.*node_modules\/(.+)$/.exec(url)?.[1]
  return inPackage ?? url.replace(/^file:\/\/.*?\/(?=(src|workers|bench)\/)/, "")
}
