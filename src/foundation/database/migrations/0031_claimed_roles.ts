import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The role of a linked account is the one that was set here, and above it the one that claims of its provider lend it for a
// while: `role` is the higher of the two, which counts until `role_until`, and after that `role_here` does. Code of the release
// before writes `role` alone, so what it writes while both run counts for nothing: it could not say how long. The way by
// which a session began is known from this release on.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN role_here text NOT NULL DEFAULT 'user', ADD COLUMN role_until timestamptz,
    ADD CONSTRAINT accounts_role_here_check CHECK (role_here IN ('user', 'reviewer', 'admin')) NOT VALID`
  yield* sql`ALTER TABLE sessions ADD COLUMN way text`

  // The trail tells the two apart: at a sign-in the account itself is the actor, and its issuer is named. A role of which it
  // says nothing any more is taken for a lent one, because the other way round it would have no end.
  yield* sql`UPDATE accounts SET
      role_here = CASE WHEN was.set_here THEN role ELSE 'user' END,
      role_until = CASE WHEN was.set_here THEN NULL ELSE now() + interval '1 day' END
    FROM (
      SELECT id AS account_id, COALESCE((
        SELECT NOT (actor = accounts.id AND details ? 'issuer') FROM audit_log
        WHERE user_id = accounts.id AND action IN ('account.created', 'account.role_changed')
        ORDER BY audit_log.id DESC LIMIT 1
      ), false) AS set_here
      FROM accounts WHERE linked AND role <> 'user'
    ) was
    WHERE accounts.id = was.account_id`
})
