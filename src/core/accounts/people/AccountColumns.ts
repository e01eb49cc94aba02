import { Effect, String } from "effect"
import { Statement } from "effect/sql"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { Account } from "./Account.ts"

/**
 * Role that counts at an instant. Claims lend a linked account a role above the one that was set here (`role_here`),
 * and until `role_until` that one counts. A `role` below `role_here` was written by a server of a release that knows no
 * other column.
 */
export const roleAt = (now: Statement.Fragment): Statement.Fragment =>
  Statement.fragment([
    Statement.literal("CASE WHEN NOT linked OR role_here = 'admin' OR role_until > "),
    ...now.segments,
    Statement.literal(" THEN role WHEN role = 'user' THEN role ELSE role_here END")
  ])

/** True of a row whose role, or the one that it had, claims have lent it. */
export const isLent = Statement.fragment([
  Statement.literal("(linked AND role <> role_here AND role_until IS NOT NULL)")
])

/** Columns of an account under the names of its fields, with the role that counts now. */
export const accountColumns: Effect.Effect<Statement.Fragment> = Effect.map(
  DatabaseClock.statementNow,
  (now) => Statement.fragment([...roleAt(now).segments, otherColumns])
)

/** Reads the first row with these columns. */
export const firstAccount = Rows.first(Account)

/** What a column is called if not as its field: somebody vouches for the address of a local account in any case. */
const computed: Readonly<Record<string, string>> = { emailVerified: "COALESCE(email_verified, NOT linked)" }

const otherColumns = Statement.literal(
  ` AS role, ${
    Object.keys(Account.fields)
      .flatMap((name) => name === "role" ? [] : [`${computed[name] ?? String.camelToSnake(name)} AS "${name}"`])
      .join(", ")
  }`
)
