import { assert, describe, it } from "@effect/vitest"
import { Cause } from "effect"
import { SqlError } from "effect/sql"
import { SilentConnection } from "../../../src/foundation/database/hosts/HeardSockets.ts"
import { isTooSlow, outageOf } from "../../../src/foundation/database/Outages.ts"

/** An error of the server as the driver passes it on. */
const serverError = (code: string, message = "the server's words", severity = "ERROR") =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: Object.assign(new Error(message), { code, severity }),
      message: "PgConnection: The server reported an error"
    })
  })

const lost = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: new Error("read ECONNRESET"), message: "Failed to connect" })
})
const bug = new SqlError.SqlError({
  reason: new SqlError.SqlSyntaxError({ cause: Object.assign(new Error("no such column"), { code: "42703" }) })
})

describe("an error is an outage of the database", () => {
  it.each([
    ["08006", "database away"],
    ["08P01", "database away"],
    ["57P01", "database away"],
    ["57P02", "database away"],
    ["57P03", "database away"],
    ["57P05", "database away"],
    ["25P03", "database away"],
    ["28P01", "database refuses us"],
    ["3D000", "database refuses us"],
    ["25006", "database read-only"],
    ["42501", "database denies"],
    ["53100", "database full"],
    ["53200", "database exhausted"],
    ["53300", "database exhausted"],
    ["58030", "database system error"],
    ["40001", "database slow"],
    ["40P01", "database slow"],
    ["55P03", "database slow"],
    ["57014", "database slow"],
    ["26000", "database pooled"],
    ["42P05", "database pooled"]
  ])("by SQLSTATE %s: %s", (state, name) => {
    const outage = outageOf(serverError(state))
    assert.strictEqual(outage?.name, name)
    assert.strictEqual(outage?.reason, `the server's words (SQLSTATE ${state})`)
    assert.strictEqual(outage?.isBrief, name === "database slow")
  })

  it("by the words of a pooler that refuses the parameters of a session", () => {
    const outage = outageOf(serverError("08P01", "unsupported startup parameter: tcp_keepalives_idle"))
    assert.strictEqual(outage?.name, "database pooled")
    assert.include(outage?.remedy, "DATABASE_POOLER")
  })

  it("by its severity, where the server has ended the session for a reason that has no SQLSTATE of its own", () => {
    const words = "could not write init file"
    assert.strictEqual(outageOf(serverError("XX000", words, "FATAL"))?.name, "database system error")
    assert.isUndefined(outageOf(serverError("XX000", words)))
  })

  it("by the driver's reason, where the server said nothing", () => {
    const cause = new Error("no answer")
    const byReason = [
      new SqlError.ConnectionError({ cause }),
      new SqlError.AuthenticationError({ cause }),
      new SqlError.StatementTimeoutError({ cause }),
      new SqlError.LockTimeoutError({ cause })
    ].map((reason) => outageOf(new SqlError.SqlError({ reason })))
    assert.deepStrictEqual(
      byReason.map((outage) => outage?.name),
      ["database away", "database refuses us", "database slow", "database slow"]
    )
    assert.strictEqual(byReason[0]?.reason, "no answer")
  })

  it("as one that took too long, of which the server says so, or nothing", () => {
    const silence = new SqlError.SqlError({
      reason: new SqlError.ConnectionError({
        cause: new SilentConnection("the database server did not answer in time")
      })
    })
    assert.isTrue([serverError("57014"), silence].every(isTooSlow))
    assert.isFalse([serverError("42P01"), serverError("53300"), new Error("no answer")].some(isTooSlow))
  })

  it("however it is wrapped", () => {
    const readOnly = serverError("25006")
    const wrapped = [
      Cause.fail(readOnly),
      Cause.die(readOnly),
      Cause.die(new Error("the mailbox failed", { cause: readOnly })),
      Cause.die(new AggregateError([new Error("of no matter"), readOnly])),
      new Error("once more", { cause: Cause.fail(readOnly) }),
      Cause.combine(Cause.interrupt(1), Cause.die(readOnly)),
      Cause.combine(Cause.fail(readOnly), Cause.die(lost))
    ]
    for (const error of wrapped) assert.strictEqual(outageOf(error)?.name, "database read-only")
  })

  it("but not if it is a fault of ours, or comes together with one", () => {
    const circular = new Error("circular")
    circular.cause = circular
    const faults = [
      bug,
      serverError("42P01"),
      serverError("23505"),
      serverError("25P02"),
      Object.assign(new Error("a mail server"), { code: "ECONNREFUSED" }),
      Object.assign(new Error("a pipe"), { code: "EPIPE" }),
      new Error("anything"),
      circular,
      "a text",
      undefined,
      Cause.interrupt(1),
      Cause.combine(Cause.fail(lost), Cause.die(bug))
    ]
    for (const error of faults) assert.isUndefined(outageOf(error))
  })
})
