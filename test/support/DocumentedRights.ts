import { readFileSync } from "node:fs"

const page = readFileSync(new URL("../../docs/operations/install.md", import.meta.url), "utf8")

/** Example below this mark in docs/operations/install.md, without comments. */
const example = (mark: string): string => {
  const found = new RegExp(`<!-- rights: ${mark} -->\\n\`\`\`\\w*\\n([^]*?)\\n\`\`\``).exec(page)?.[1]
  if (found === undefined) throw new Error(`docs/operations/install.md has no example of the rights: ${mark}`)
  return found.replaceAll(/ *--.*$/gm, "")
}

/** Roles in PostgreSQL: the servers', and the one of `slotkey migrate up` where it is another one. */
const roles = { servers: "slotkey", schema: "slotkey_schema" }
export type Role = keyof typeof roles

/** Address of a database for one of the roles, with the password of the page. */
export const addressFor = (role: Role, url: string): string =>
  Object.assign(new URL(url), { username: roles[role], password: "…" }).href

const statementsOf = (mark: string, database: string): ReadonlyArray<string> =>
  example(mark)
    .replaceAll("DATABASE slotkey", `DATABASE ${database}`)
    .split(/;\n?|(?=\\connect)|(?<=^\\connect .*)\n/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")

/** Statements by which an administrator makes a database whose owner is the servers' role. */
export const oneRole = (database: string): ReadonlyArray<string> => statementsOf("one role", database)

/** Same for two roles: `within` are the statements in the new database. */
export const twoRoles = (database: string) => {
  const statements = statementsOf("two roles", database)
  const connect = statements.findIndex((statement) => statement.startsWith("\\connect"))
  return { before: statements.slice(0, connect), within: statements.slice(connect + 1) }
}

/** Rules of the user of servers and workers in Redis. */
export const redisRules = (password: string): ReadonlyArray<string> =>
  example("redis").replace(/^ACL SETUSER \S+ /, "").replace(">PASSWORD", `>${password}`).split(" ")
