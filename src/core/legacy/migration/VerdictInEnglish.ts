import { english } from "../../../foundation/messages/Languages.ts"
import type { MigrationVerdict } from "./MigrationVerdict.ts"

/** Verdict in English, as mails and the command line tell it. */
export const verdictInEnglish = (verdict: MigrationVerdict, unscopedGrants: number): string =>
  (verdict === "migrated"
    ? english.parts("verdict.migrated", { grants: unscopedGrants })
    : english.parts(`verdict.open.${verdict}`, {})).join("")
