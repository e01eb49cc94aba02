import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted, Schema } from "effect"
import pg from "pg"
import { parse } from "../../../src/foundation/config/DatabaseAddress.ts"

const hostsOf = (text: string) => Option.getOrThrow(parse(text))
const namesOf = (text: string) => hostsOf(text).map(({ name }) => name)

/** Settings that the driver reads from an address. */
const readByDriver = (url: string) => {
  const { database, host, password, port, user } = new pg.Client(url)
  return { database, host, password, port, user }
}

describe("The address of a database", () => {
  it("may name several hosts, as libpq reads them", () => {
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["postgres://u:p@a.test:5433,b.test:5434/db", ["a.test:5433", "b.test:5434"]],
      ["postgresql://a.test,b.test:5434", ["a.test:5432", "b.test:5434"]],
      ["postgres://[::1]:5433,[fe80::2]/db", ["[::1]:5433", "[fe80::2]:5432"]],
      ["postgres:///db?host=a.test,b.test&port=5433,5434", ["a.test:5433", "b.test:5434"]],
      ["postgres:///db?host=a.test,b.test&port=5433", ["a.test:5433", "b.test:5433"]],
      ["postgres://a.test:1,b.test:2/db?port=5433", ["a.test:5433", "b.test:5433"]],
      ["postgres://a.test:1/db?host=::1,b.test", ["[::1]:1", "b.test:1"]],
      ["postgres://u@/db?host=/run/a,/run/b&port=5433,5434", ["/run/a/.s.PGSQL.5433", "/run/b/.s.PGSQL.5434"]],
      ["postgres://u@%2Frun%2Fa,b.test/db", ["/run/a/.s.PGSQL.5432", "b.test:5432"]],
      ["postgres://a.test,/db", ["a.test:5432", "localhost:5432"]],
      ["postgres://a.test,b.test/db?target_session_attrs=read-write", ["a.test:5432", "b.test:5432"]]
    ]
    for (const [text, names] of cases) assert.deepStrictEqual(namesOf(text), names, text)
  })

  it("is refused when its hosts and ports do not fit, or when it asks for a host that takes no writes", () => {
    const wrong = [
      "postgres://a.test:0/db",
      "postgres://a.test:70000,b.test/db",
      "postgres://a.test:x,b.test/db",
      "postgres:///db?host=a,b,c&port=1,2",
      "postgres://a.test,b%zz.test/db",
      "postgres://a.test,[::1/db",
      "postgres://a.test,b.test/db?target_session_attrs=standby",
      "mysql://a.test/db",
      "a.test,b.test"
    ]
    for (const text of wrong) assert.isTrue(Option.isNone(parse(text)), text)
  })

  it("keeps an address with one host as it was written", () => {
    const texts = [
      "postgres://u:p%40ss@a.test:5433/db?sslmode=verify-full&sslrootcert=/etc/ca.pem&options=-c%20geqo%3Doff",
      "postgres://u:p@ss@a.test/db",
      "postgres:///db?host=/run/postgresql",
      "postgresql://%2Frun%2Fpostgresql/db"
    ]
    for (const text of texts) assert.deepStrictEqual(hostsOf(text).map(({ url }) => Redacted.value(url)), [text])
  })

  it("drops the parameters of TLS for sockets of this machine alone", () => {
    const [socket, host] = hostsOf("postgres://u@%2Frun%2Fa,b.test/db?sslmode=require&application_name=x")
    assert.strictEqual(
      socket && Redacted.value(socket.url),
      "postgres://u@localhost/db?application_name=x&host=%2Frun%2Fa&port=5432"
    )
    assert.strictEqual(
      host && Redacted.value(host.url),
      "postgres://u@b.test:5432/db?sslmode=require&application_name=x"
    )
  })

  it("never shows its password", () => {
    const shown = hostsOf("postgres://u:hunter2@a.test,b.test/db")
    assert.notInclude(JSON.stringify(shown), "hunter2")
    assert.notInclude(String(Option.getOrUndefined(parse("postgres://u:hunter2@a.test:x,b.test/db"))), "hunter2")
  })

  const text = Schema.NonEmptyString.check(Schema.makeFilter((value) => value.isWellFormed()))
  it.prop("gives each host the user, password and database of them all, as the driver reads them", [
    text,
    text,
    Schema.Literals(["slotkey", "Slot-key_2", "größe"]),
    Schema.NonEmptyArray(Schema.Struct({
      host: Schema.Literals(["a.test", "10.0.0.1", "::1", "/run/a b,"]),
      port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
    }))
  ], ([user, password, database, hosts]) => {
    const authority = hosts.map(({ host, port }) => `${host === "::1" ? "[::1]" : encodeURIComponent(host)}:${port}`)
    const address = hostsOf(
      `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${authority.join(",")}/${
        encodeURIComponent(database)
      }`
    )
    assert.deepStrictEqual(
      address.map(({ url }) => readByDriver(Redacted.value(url))),
      hosts.map(({ host, port }) => ({ database, host, password, port, user }))
    )
    assert.deepStrictEqual(
      address.map(({ socket }) => socket),
      hosts.map(({ host, port }) => host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    )
  })
})
