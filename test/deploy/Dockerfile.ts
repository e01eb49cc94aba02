import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Folder of the project. */
export const project = fileURLToPath(new URL("../../", import.meta.url))

export const read = (path: string): string => readFileSync(`${project}${path}`, "utf8")

/** One line of the Dockerfile, with its continuations joined. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** Instructions of the Dockerfile in order, build arguments replaced by their defaults. */
export const instructions: ReadonlyArray<Instruction> = (() => {
  const text = read("Dockerfile").replace(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "")
  const found = text.split("\n").filter((line) => line !== "").map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return { name, text: rest }
  })
  const defaults = new Map(
    found.filter(({ name }) => name === "ARG").map(({ text }) => {
      const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(text) ?? []
      return [name, value]
    })
  )
  return found.filter(({ name }) => name !== "ARG").map(({ name, text }) => ({
    name,
    text: name === "FROM"
      ? text.replaceAll(/\$\{(\w+)\}/g, (_, argument: string) => defaults.get(argument) ?? "")
      : text
  }))
})()

/** Instructions of each stage, the last of which is the image. */
export const stages: ReadonlyArray<ReadonlyArray<Instruction>> = instructions.reduce<Array<Array<Instruction>>>(
  (all, instruction) => {
    if (instruction.name === "FROM") all.push([])
    all.at(-1)?.push(instruction)
    return all
  },
  []
)

/** Texts of one kind of instruction in the image's own stage. */
export const ofImage = (name: string): ReadonlyArray<string> =>
  (stages.at(-1) ?? []).filter((instruction) => instruction.name === name).map(({ text }) => text)

/** Environment of the image. */
export const environment: Readonly<Record<string, string>> = Object.fromEntries(
  ofImage("ENV").map((text) => {
    const [name = "", ...value] = text.split("=")
    return [name, value.join("=")]
  })
)

/** Command of the image, and the one that asks for its health. */
export const command: ReadonlyArray<string> = JSON.parse(ofImage("CMD")[0] ?? "[]")
export const healthCommand: ReadonlyArray<string> = JSON.parse(
  /CMD (\[.*\])$/.exec(ofImage("HEALTHCHECK")[0] ?? "")?.[1] ?? "[]"
)
