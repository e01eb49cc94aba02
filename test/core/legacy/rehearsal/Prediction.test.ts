import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Cause } from "../../../../src/core/legacy/rehearsal/Judgement.ts"
import type { LoggedRequest } from "../../../../src/core/legacy/rehearsal/RequestLog.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { challenge } from "../../consent/Fixture.ts"
import { apply, counts, jsonLines, unique } from "../import/Scenario.ts"
import { visitor } from "../Scenario.ts"
import { answerTo, clientOf } from "./Answers.ts"
import { rehearse, server } from "./Scenario.ts"

const Addresses = Schema.Literals([
  "https://old.example/cb",
  "https://old.example/cb?tenant=1",
  "http://localhost/cb",
  // Patterns and plain http do not fit unless the import keeps them.
  "https://old.example/*",
  "http://old.example/cb"
])

const App = Schema.Struct({
  kind: Schema.Literals(["confidential", "public"]),
  status: Schema.Literals(["approved", "approved", "approved", "pending", "rejected", "suspended"]),
  redirect_uris: Schema.UniqueArray(Addresses).check(Schema.isMinLength(1), Schema.isMaxLength(2)),
  scope_words: Schema.Literals(["", "TEAM_READ"])
})

/** An app that is on the server before the import; `saved` is a legacy app whose scopes were saved. */
const Existing = Schema.Struct({
  kind: Schema.Literals(["confidential", "public"]),
  status: Schema.Literals(["approved", "approved", "pending", "rejected", "suspended"]),
  origin: Schema.Literals(["registered", "legacy", "saved"]),
  /** The file names it, too, with other addresses. */
  isInFile: Schema.Boolean
})

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(schema)

const Parameters = Schema.Struct({
  redirect_uri: optional(
    Schema.Literals([
      "https://old.example/cb",
      "https://old.example/cb",
      "https://old.example/cb?tenant=1",
      "https://old.example/cb/",
      "https://old.example/anything",
      "http://localhost:51234/cb",
      "http://old.example/cb",
      ""
    ])
  ),
  scope: optional(
    Schema.NullOr(
      Schema.Literals([
        "",
        " , ",
        "openid",
        "PROFILE_READ",
        "PROFILE_READ,BOOKING_READ",
        "PROFILE_READ,NOTES_READ",
        "TEAM_READ",
        "MAIL_READ",
        "BOOKING_REED"
      ])
    )
  ),
  response_type: optional(Schema.Literals(["code", "code", "code", "token", ""])),
  response_mode: optional(Schema.NullOr(Schema.Literals(["query", "form_post"]))),
  code_challenge: optional(Schema.NullOr(Schema.Literals([challenge, challenge, "short"]))),
  code_challenge_method: optional(Schema.NullOr(Schema.Literals(["S256", "plain"])))
})

const Request = Schema.Struct({
  /** Place of its app among those of the file and of the server; there may be none there. */
  app: Schema.NullOr(Schema.Literals([0, 1, 2, 3, 4, 5, 6])),
  parameters: Parameters,
  /** What follows in the query as it was sent; `null` for a log that has parameters. */
  tail: Schema.NullOr(
    Schema.Literals([
      "",
      "&state=1",
      "&scope=PROFILE_READ",
      "&client_id=x",
      "&redirect_uri=x",
      "&x=%zz",
      "&x=%00",
      "&resource=%2Fapi",
      "&resource=https%3A%2F%2Fold.example"
    ])
  )
})

const Case = Schema.Struct({
  file: Schema.Array(App).check(Schema.isMinLength(1), Schema.isMaxLength(3)),
  here: Schema.Array(Existing).check(Schema.isMaxLength(2)),
  log: Schema.Array(Request).check(Schema.isMinLength(1), Schema.isMaxLength(12)),
  keepsRedirectUris: Schema.Boolean,
  keepsPatterns: Schema.Boolean
})
type Case = typeof Case.Type

interface Fields {
  readonly kind: Case["file"][number]["kind"]
  readonly redirect_uris: ReadonlyArray<string>
  readonly status?: string
  readonly scope_words?: ReadonlyArray<string>
}

/**
 * Rehearses an import, does it, sends each request of the log to the server, and compares what came with what was
 * foretold.
 */
const compare = Effect.fnUntraced(function*({ file, here, log, ...keeps }: Case) {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* newAccount("owner")
  const user = yield* Effect.flatMap(newAccount("user"), visitor)
  const run = unique()
  const record = (id: string, { kind, ...fields }: Fields) => ({
    client_id: `${run}-${id}`,
    owner,
    name: `Old ${id}`,
    kind,
    secrets: kind === "public" ? [] : [{ secret: "a secret of the old server", algorithm: "clear" }],
    ...fields
  })

  for (const [at, { kind, origin, status }] of here.entries()) {
    const id = `${run}-here-${at}`
    yield* apply(jsonLines(record(`here-${at}`, { kind, redirect_uris: [cb.redirect_uri] })))
    yield* sql`UPDATE clients SET status = ${status} WHERE id = ${id}`
    if (origin === "legacy") continue
    yield* sql`UPDATE clients SET legacy = false, scopes = '{PROFILE_READ}', migrated_at = CASE WHEN ${
      origin === "saved"
    } THEN now() END WHERE id = ${id}`
  }
  const records = [
    ...file.map(({ scope_words, ...app }, at) =>
      record(`file-${at}`, { ...app, scope_words: scope_words.split(" ").filter((word) => word !== "") })
    ),
    ...here.flatMap(({ isInFile, kind }, at) =>
      isInFile ? [record(`here-${at}`, { kind, redirect_uris: ["https://old.example/anything"] })] : []
    )
  ]
  const ids = [...file.map((_, at) => `${run}-file-${at}`), ...here.map((_, at) => `${run}-here-${at}`)]
  const requests = log.map(({ app, parameters, tail }): LoggedRequest => {
    const named = { ...(app === null ? {} : { client_id: ids[app] ?? `${run}-nobody` }), ...parameters }
    if (tail === null) return named
    const sent = Object.entries(named).flatMap(([name, value]) => value === null ? [] : [[name, value]])
    return { query: `${new URLSearchParams(sent)}${tail}` }
  })

  const before = yield* counts
  const options = { ...keeps, skips: true }
  const rehearsed = yield* rehearse(jsonLines(...records), [jsonLines(...requests)], options)
  assert.deepStrictEqual(yield* counts, before)
  const { findings } = yield* apply(jsonLines(...records), options)

  const expected = new Map<string, number>()
  const unfit = new Set(
    findings.flatMap(({ clientId, kind }) => kind === "wrong" || kind === "left-out" ? [clientId] : [])
  )
  const foretold = { requests: requests.length, refused: 0, unjudged: 0, unreadable: 0, firstUnreadable: null }
  for (const request of requests) {
    const answer = yield* answerTo(user, request)
    const clientId = clientOf(request)
    const cause = answer === "client-unknown" && unfit.has(clientId ?? "") ? "client-unfit" : answer
    if (cause === undefined) continue
    foretold[cause === "challenge-unlogged" ? "unjudged" : "refused"]++
    expected.set(`${clientId} ${cause}`, (expected.get(`${clientId} ${cause}`) ?? 0) + 1)
  }
  assert.deepStrictEqual(rehearsed.log, foretold)
  assert.deepStrictEqual(
    new Map(rehearsed.refused.map(({ cause, clientId, requests }) => [`${clientId} ${cause}`, requests])),
    expected
  )
  for (const { clientId, of } of rehearsed.refused) {
    assert.strictEqual(of, requests.filter((request) => clientOf(request) === clientId).length)
  }
  return new Set(rehearsed.refused.map(({ cause }) => cause))
})

const cb = { redirect_uri: "https://old.example/cb" } as const
const old = { kind: "confidential", status: "approved", redirect_uris: [cb.redirect_uri], scope_words: "" } as const
const here = { kind: "confidential", status: "approved", origin: "registered", isInFile: false } as const

type Request = typeof Request.Type
const request = (
  app: Request["app"],
  parameters: Request["parameters"],
  tail: Request["tail"] = null
): Request => ({ app, parameters, tail })

/** A case in which each cause comes. */
const all: Case = {
  keepsRedirectUris: false,
  keepsPatterns: false,
  file: [old, { ...old, kind: "public", scope_words: "TEAM_READ" }, { ...old, status: "suspended" }],
  here: [here, { ...here, status: "pending" }, { ...here, status: "rejected" }],
  log: [
    request(0, { ...cb, scope: "openid" }),
    request(0, {}),
    request(0, { redirect_uri: "https://old.example/anything" }),
    request(0, { ...cb, scope: "BOOKING_REED" }),
    request(0, { ...cb, scope: "MAIL_READ" }),
    request(0, { ...cb, scope: "PROFILE_READ,NOTES_READ" }),
    request(0, { ...cb, response_type: "token" }),
    request(0, { ...cb, code_challenge: challenge, code_challenge_method: "plain" }),
    request(0, { ...cb, code_challenge: "short" }),
    request(0, cb, "&client_id=x"),
    request(0, cb, "&redirect_uri=x"),
    request(0, cb, "&x=%zz"),
    request(0, cb, "&resource=%2Fapi"),
    request(0, cb, "&resource=https%3A%2F%2Fold.example"),
    request(0, { ...cb, scope: "openid" }, "&scope=PROFILE_READ"),
    request(1, { ...cb, scope: "TEAM_READ" }),
    request(1, { ...cb, code_challenge: null }),
    request(1, cb, ""),
    request(2, cb),
    request(3, cb),
    request(3, { ...cb, scope: "PROFILE_READ,BOOKING_READ" }),
    request(3, { ...cb, response_mode: "form_post" }),
    request(4, cb),
    request(5, cb),
    request(6, cb),
    request(null, cb)
  ]
}

layer(server, { timeout: 120_000 })("A rehearsal foretells what the authorization endpoint answers", (it) => {
  it.effect("for each cause", () =>
    Effect.gen(function*() {
      const causes = yield* compare(all)
      const misfits = yield* compare({
        ...all,
        file: [{ ...old, redirect_uris: ["https://old.example/*"] }],
        here: [],
        log: [request(0, cb)]
      })
      assert.deepStrictEqual([...causes, ...misfits].sort(), [...Cause.literals].sort())
    }))

  it.effect.prop("for any log", [Case], ([any]) => compare(any), { arbitrary: { runs: 100 } })
})
