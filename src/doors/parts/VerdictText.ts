import type { MigrationVerdict } from "../../core/legacy/migration/MigrationVerdict.ts"
import type { Html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** Verdict in words, as pages tell it. Mails tell those of apps that have not moved. */
export const verdictText = (verdict: MigrationVerdict, unscopedGrants: number): Html =>
  verdict === "migrated" ? text("verdict.migrated", { grants: unscopedGrants }) : text(`verdict.open.${verdict}`)
