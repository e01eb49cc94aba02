import { afterAll } from "@effect/vitest"
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

export const project = resolve(import.meta.dirname, "../..")

/** Copies the project, so that a test can plant faults in it, and answers the folder. */
export const copyOfProject = (): string => {
  const copy = mkdtempSync(join(tmpdir(), "slotkey-house-"))
  for (const name of ["src", "workers", "lint", ".oxlintrc.json", "package.json", "tsconfig.json"]) {
    cpSync(join(project, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"))
  afterAll(() => rmSync(copy, { recursive: true }))
  return copy
}
