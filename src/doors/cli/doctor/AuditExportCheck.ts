import { Effect, Option } from "effect"
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { messageOf } from "../../../domain/Cause.ts"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { type Check, degraded, ok } from "../../../foundation/operator/Readiness.ts"

/**
 * Asks whether this user may write to AUDIT_EXPORT_DIR, or make it. Only workers need to, perhaps on another machine.
 */
export const auditExportCheck = (
  { auditExportDir }: Pick<Settings, "auditExportDir">
): Option.Option<Check<"audit-export">> =>
  Option.map(auditExportDir, (folder) => ({
    name: "audit-export",
    otherwise: "degraded",
    probe: Effect.match(Effect.tryPromise({ try: () => tryFolder(folder), catch: messageOf }), {
      onSuccess: () => ok("Entries of the audit log can be written to AUDIT_EXPORT_DIR."),
      onFailure: (reason) =>
        degraded(
          `Entries of the audit log cannot be written to AUDIT_EXPORT_DIR from here, and none is deleted: ${reason}`
        )
    })
  }))

/** Fails with the reason of the system; a folder that is not there is made with its first file. */
const tryFolder = async (folder: string): Promise<void> => {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && dirname(folder) !== folder) return undefined
    throw error
  })
  if (found === undefined) return tryFolder(dirname(folder))
  if (!found.isDirectory()) throw new Error(`${folder} is no folder`)
  await access(folder, constants.W_OK | constants.X_OK)
}
