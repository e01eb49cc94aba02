import { readFileSync } from "node:fs"

const page = readFileSync(new URL("../../docs/operations/install.md", import.meta.url), "utf8")

/** The lines of the example below this mark in docs/operations/install.md, without comments. */
const lines = (mark: string): ReadonlyArray<string> => {
  const example = new RegExp(`<!-- rights: ${mark} -->\\n\`\`\`\\w*\\n([^]*?)\\n\`\`\``).exec(page)?.[1]
  if (example === undefined) throw new Error(`docs/operations/install.md has no example of the rights: ${mark}`)
  return example.split("\n").map((line) => line.replace(/\s*(?:--|#).*$/, "")).filter((line) => line !== "")
}

/** The rules of the user of servers and workers in Redis, as a configuration file has them; the password is the one given. */
export const redisRules = (password: string): ReadonlyArray<string> =>
  lines("redis").join(" ").replace(/^ACL SETUSER \S+ /, "").replace(/>\S+/, `>${password}`).split(" ")
