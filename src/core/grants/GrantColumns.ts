import type { Statement } from "effect/sql"
import * as Column from "../../foundation/database/Column.ts"
import type { GrantRow } from "./Grant.ts"

/** Columns of `grants` that make a `GrantRow`. */
export const of = (table?: string): Statement.Fragment => Column.names(fields, table)

const fields: Readonly<Record<keyof GrantRow, true>> = {
  id: true,
  handleDigest: true,
  clientId: true,
  userId: true,
  scopes: true,
  resource: true,
  declined: true,
  browser: true,
  place: true,
  generation: true,
  createdAt: true,
  issuedAt: true,
  rotatedAt: true,
  expiresAt: true,
  revokedAt: true,
  importedRotates: true,
  idleDays: true
}
