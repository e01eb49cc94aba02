import { assert, layer } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addressProblem } from "../../../../src/core/clients/documents/DocumentAddress.ts"
import { TrustedHosts } from "../../../../src/core/clients/documents/TrustedHosts.ts"
import { nobody } from "../../../../src/core/clients/records/Nobody.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { TooManyAttempts } from "../../../../src/domain/TooManyAttempts.ts"
import { Network } from "../../../../src/foundation/outbound/Network.ts"
import * as Host from "../../../support/PictureHost.ts"
import { newAccount, Services, servicesWith } from "../Scenario.ts"
import { answer, approved, documentOf, introduce, managed, newAddress, refusal, serve, sound } from "./Documents.ts"

const Stage = Services.pipe(Layer.provideMerge(Host.layer))

layer(Stage)("A client's document", (it) => {
  it.effect("puts its app before the reviewers, with what was asked for and nobody as its owner", () =>
    Effect.gen(function*() {
      const address = newAddress()
      const more = {
        client_uri: "https://agent.example/",
        policy_uri: "https://agent.example/privacy",
        contacts: ["help@agent.example"],
        scope: "USER_MANAGE",
        jwks_uri: "https://agent.example/keys",
        grant_types: ["authorization_code", "refresh_token"]
      }
      yield* serve(address, more)
      const client = yield* introduce(address, ["BOOKING_READ", "PROFILE_READ"])
      assert.deepInclude({ ...client }, {
        id: client.id,
        ownerId: nobody,
        origin: "document",
        kind: "public",
        status: "pending",
        website: "https://agent.example/",
        privacyUrl: "https://agent.example/privacy",
        termsUrl: null,
        contact: "help@agent.example",
        scopes: ["BOOKING_READ", "PROFILE_READ"]
      })
      const { digest, host } = yield* documentOf(address)
      assert.strictEqual(host, "pictures.example")
      assert.lengthOf(digest, 43)
    }))

  it.effect("is asked for once while it is fresh, by its headers within bounds, and then with its tag", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      for (
        const [headers, minutes] of [
          [{ "cache-control": "max-age=300" }, 5],
          [{ "cache-control": "no-store" }, 1],
          [{ "cache-control": "max-age=99999999" }, 24 * 60],
          [{ expires: "0" }, 1],
          [{}, 10]
        ] as const
      ) {
        const address = newAddress()
        yield* answer(address, sound(address), headers)
        host.requests()
        yield* introduce(address)
        yield* introduce(address)
        yield* TestClock.adjust(Duration.subtract(Duration.minutes(minutes), Duration.seconds(1)))
        yield* introduce(address)
        assert.lengthOf(host.requests(), 1, JSON.stringify(headers))
        yield* TestClock.adjust("2 seconds")
        yield* introduce(address)
        assert.lengthOf(host.requests(), 1, JSON.stringify(headers))
      }
      const address = newAddress()
      yield* answer(address, sound(address), { etag: "\"1\"" })
      yield* introduce(address)
      yield* TestClock.adjust("1 hour")
      host.serve(new URL(address).pathname, (request, response) => {
        assert.strictEqual(request.headers["if-none-match"], "\"1\"")
        response.writeHead(304, { "cache-control": "max-age=3600" }).end()
      })
      yield* introduce(address)
      assert.deepInclude({ ...(yield* documentOf(address)) }, { fault: null, etag: "\"1\"" })
    }))

  it.effect("is refused by what breaks a rule, and nothing of it is kept", () =>
    Effect.gen(function*() {
      const broken: ReadonlyArray<readonly [string, unknown]> = [
        ["client_id documentOther", { client_id: "https://pictures.example/clients/other.json" }],
        ["client_name required", { client_name: null }],
        ["client_name testName", { client_name: "Test: Bank" }],
        ["client_name controlAfter", { client_name: "Bank\u202eknab" }],
        ["redirect_uris required", { redirect_uris: null }],
        ["redirect_uris addresses", { redirect_uris: [] }],
        [
          "redirect_uris tooManyAddresses",
          { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://agent.example/${n}`) }
        ],
        ["redirect_uris.0 fragment", { redirect_uris: ["https://agent.example/#part"] }],
        ["client_secret documentSecret", { client_secret: "hidden" }],
        ["client_secret_expires_at documentSecret", { client_secret_expires_at: 0 }],
        ["jwks.keys.0 documentSecret", { jwks: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } }],
        ["token_endpoint_auth_method documentMethod", { token_endpoint_auth_method: "private_key_jwt" }],
        ["token_endpoint_auth_method documentMethod", { token_endpoint_auth_method: "client_secret_basic" }],
        ["grant_types documentGrant", { grant_types: ["client_credentials"] }],
        ["client_name documentField", { client_name: 7 }]
      ]
      const sql = yield* SqlClient.SqlClient
      for (const [expected, more] of broken) {
        const address = newAddress()
        yield* answer(address, { ...sound(address), ...(more as object) })
        assert.strictEqual(yield* refusal(address), expected, JSON.stringify(more))
        assert.isEmpty(yield* sql`SELECT 1 FROM clients WHERE id = ${address}`)
      }
    }))

  it.effect("is refused by how it comes", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const address = newAddress()
      const comes = (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200) =>
        Effect.andThen(answer(address, body, headers, status), refusal(address))
      assert.strictEqual(yield* comes(sound(address), { "content-type": "text/html" }), "documentType")
      assert.strictEqual(yield* comes("[]"), "documentJson")
      assert.strictEqual(yield* comes("{"), "documentJson")
      assert.strictEqual(yield* comes(Buffer.from([0x7b, 0xff, 0x7d])), "documentJson")
      assert.strictEqual(yield* comes(sound(address), {}, 404), "documentStatus")
      assert.strictEqual(yield* comes(sound(address), {}, 203), "documentStatus")
      assert.strictEqual(yield* comes({ ...sound(address), padding: "x".repeat(9_000) }), "documentTooLarge")
      assert.strictEqual(yield* comes(Buffer.alloc(10 * 1024 * 1024, " ")), "documentTooLarge")
      // A redirect is not followed (§5), wherever it leads.
      host.connections()
      for (const location of ["https://169.254.169.254/latest", "https://other.example/clients/1.json"]) {
        assert.strictEqual(yield* comes("", { location }, 302), "documentRedirects")
      }
      assert.deepStrictEqual(new Set(host.connections()), new Set([Host.publicAddress]))
      host.serve(new URL(address).pathname, (_, response) => response.destroy())
      assert.strictEqual(yield* refusal(address), "documentUnanswered")
      const types = ["application/json; charset=utf-8", "application/client+json", "Application/JSON"]
      for (const type of types) {
        const of = newAddress()
        yield* answer(of, sound(of), { "content-type": type })
        assert.strictEqual((yield* introduce(of)).status, "pending", type)
      }
    }))

  it.effect("is asked for at a public address alone, and at the one that was looked at", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.connections()
      const address = newAddress("rebound.example")
      yield* serve(address)
      host.name("rebound.example", ["10.0.0.1"])
      assert.strictEqual(yield* refusal(address), "documentNotPublic")
      host.name("rebound.example", [Host.publicAddress, "127.0.0.1"])
      assert.strictEqual(yield* refusal(address), "documentNotPublic")
      assert.isEmpty(host.connections())
      // The second answer of the DNS would be the private one.
      const other = newAddress()
      yield* serve(other)
      host.name("pictures.example", [Host.publicAddress], ["127.0.0.1"])
      yield* introduce(other)
      assert.deepStrictEqual(host.connections(), [Host.publicAddress])
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* refusal(other), "documentNotPublic")
      assert.isEmpty(host.connections())
      host.name("pictures.example", [Host.publicAddress])
    }))

  it.effect("that does not come in time is refused", () =>
    Effect.gen(function*() {
      const never: Network = { resolve: () => new Promise(() => {}), connect: () => assert.fail("connected") }
      const slow = yield* Effect.forkChild(refusal(newAddress()).pipe(Effect.provideService(Network, never)))
      yield* Effect.yieldNow
      let exit = undefined
      while (exit === undefined) {
        yield* TestClock.adjust("1 second")
        exit = slow.pollUnsafe()
      }
      assert.strictEqual(yield* Fiber.join(slow), "documentSlow")
    }))

  it("has an address in its plain form", () => {
    for (
      const address of [
        "http://agent.example/client.json",
        "https://agent.example",
        "https://Agent.example/client.json",
        "https://agent.example/a/../client.json",
        "https://agent.example/a/%2e%2e/client.json",
        "https://agent.example/./client.json",
        "https://agent.example/client.json#part",
        "https://agent.example/client.json?id=1",
        "https://agent.example/client.json?",
        "https://user@agent.example/client.json",
        "https://agent.example:443/client.json",
        "https://agent.example:8443/client.json",
        "https://93.184.216.34/client.json",
        "https://[2606:2800:220:1::1]/client.json",
        "https://2130706433/client.json",
        "https://localhost/client.json",
        "https://agent.example\\client.json",
        " https://agent.example/client.json",
        `https://agent.example/${"x".repeat(250)}`,
        "https://"
      ]
    ) assert.strictEqual(addressProblem(address)?.rule.code, "documentAddress", address)
    assert.isUndefined(addressProblem("https://agent.example/client.json"))
    assert.isUndefined(addressProblem("https://agent.example/"))
  })
})

layer(Stage)("A document that changes", (it) => {
  it.effect("takes away at once, and adds after a review", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const address = newAddress()
      yield* serve(address, { tos_uri: "https://agent.example/terms" })
      const before = yield* approved(address)
      const first = yield* documentOf(address)
      yield* serve(address, {
        client_name: "Another name",
        redirect_uris: ["http://127.0.0.1/callback", "https://evil.example/callback"],
        scope: "USER_MANAGE"
      })
      yield* TestClock.adjust("1 day")
      const after = yield* introduce(address)
      assert.deepInclude({ ...after }, {
        status: "approved",
        name: before.name,
        redirectUris: ["http://127.0.0.1/callback"],
        termsUrl: null,
        scopes: before.scopes
      })
      const { change } = yield* managed(address)
      assert.deepInclude({ ...change }, {
        name: "Another name",
        redirectUris: ["http://127.0.0.1/callback", "https://evil.example/callback"],
        scopes: before.scopes
      })
      assert.notStrictEqual((yield* documentOf(address)).digest, first.digest)
      // What a reviewer looked at before is not what they would approve.
      const admin = yield* newAccount("admin", "admin")
      const refused = yield* Effect.flip(review.approve(admin, address, before.version))
      assert.deepInclude({ ...refused }, { code: "version_conflict" })
      yield* review.reject(admin, address, "No.", after.version)
      // The same again is no new question.
      yield* TestClock.adjust("1 day")
      assert.isFalse((yield* managed((yield* introduce(address)).id)).isWaiting)
    }))

  it.effect("may take away all addresses", () =>
    Effect.gen(function*() {
      const address = newAddress()
      yield* serve(address)
      yield* approved(address)
      yield* serve(address, { redirect_uris: ["https://new.example/callback"] })
      yield* TestClock.adjust("1 day")
      assert.isEmpty((yield* introduce(address)).redirectUris)
      assert.deepStrictEqual((yield* managed(address)).change?.redirectUris, ["https://new.example/callback"])
      yield* serve(address)
      yield* TestClock.adjust("1 day")
      // What came back is an addition, too.
      assert.isEmpty((yield* introduce(address)).redirectUris)
    }))

  it.effect("that is gone, or another's, gives no access, until it is there again", () =>
    Effect.gen(function*() {
      const address = newAddress()
      yield* serve(address)
      yield* approved(address)
      yield* TestClock.adjust("1 day")
      yield* answer(address, "", {}, 404)
      assert.strictEqual(yield* refusal(address), "documentStatus")
      yield* answer(address, sound(newAddress()))
      assert.strictEqual(yield* refusal(address), "client_id documentOther")
      assert.strictEqual((yield* documentOf(address)).fault?.reason.rule.code, "documentOther")
      yield* serve(address)
      assert.strictEqual((yield* introduce(address)).status, "approved")
      assert.isNull((yield* documentOf(address)).fault)
    }))

  it.effect("serves for a day while its host fails, and no longer", () =>
    Effect.gen(function*() {
      const address = newAddress()
      yield* serve(address)
      yield* approved(address)
      yield* answer(address, "", {}, 503)
      yield* TestClock.adjust("12 hours")
      assert.strictEqual((yield* introduce(address)).status, "approved")
      yield* TestClock.adjust("12 hours")
      assert.strictEqual(yield* refusal(address), "documentStatus")
    }))

  it.effect("is read once for many who come at a time", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const address = newAddress()
      yield* serve(address)
      yield* approved(address)
      yield* TestClock.adjust("1 day")
      const people = yield* Effect.forEach(Array.from({ length: 8 }), () => newAccount("person"))
      host.requests()
      yield* Effect.forEach(people, (person) => introduce(address, ["BOOKING_READ"], person), { concurrency: 8 })
      assert.lengthOf(host.requests(), 1)
    }))

  it.effect("of a rejected app does not bring it back", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const address = newAddress()
      yield* serve(address)
      const { version } = yield* introduce(address)
      yield* review.reject(yield* newAccount("admin", "admin"), address, "No.", version)
      yield* serve(address, { client_name: "Nicer" })
      yield* TestClock.adjust("1 day")
      assert.deepInclude({ ...(yield* introduce(address)) }, { status: "rejected" })
    }))

  it.effect("changes a pending app, which asks for what all have asked for", () =>
    Effect.gen(function*() {
      const address = newAddress()
      yield* serve(address)
      yield* introduce(address, ["BOOKING_READ"])
      yield* serve(address, { client_name: "Renamed agent" })
      yield* TestClock.adjust("1 day")
      const client = yield* introduce(address, ["PROFILE_READ"])
      assert.deepInclude({ ...client }, {
        status: "pending",
        name: "Renamed agent",
        scopes: ["BOOKING_READ", "PROFILE_READ"]
      })
    }))
})

layer(Stage)("A logo in a document", (it) => {
  it.effect("is kept as it was, and is missing where there is none to take", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const address = newAddress()
      host.serve("/red", yield* Effect.promise(() => Host.picture("red")))
      yield* serve(address, { logo_uri: "https://pictures.example/red" })
      const { logoDigest } = yield* introduce(address)
      assert.isString(logoDigest)
      const admin = yield* newAccount("admin", "admin")
      yield* (yield* ClientReview).approve(admin, address, 1)
      // Another document with the same address has no other picture.
      host.serve("/red", yield* Effect.promise(() => Host.picture("blue")))
      yield* serve(address, { logo_uri: "https://pictures.example/red", jwks_uri: "https://agent.example/keys" })
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* introduce(address)).logoDigest, logoDigest)
      assert.isNull((yield* managed(address)).change)
      host.name("private.example", ["10.0.0.1"])
      const other = newAddress()
      yield* serve(other, { logo_uri: "https://private.example/logo" })
      assert.deepInclude({ ...(yield* introduce(other)) }, { logoUrl: null, logoDigest: null })
    }))
})

layer(Stage)("A trusted host", (it) => {
  it.effect("has its new apps approved for the base set, whatever they ask for", () =>
    Effect.gen(function*() {
      const hosts = yield* TrustedHosts
      const admin = yield* newAccount("admin", "admin")
      const waiting = newAddress("other.example")
      yield* serve(waiting)
      yield* introduce(waiting)
      yield* hosts.trust(admin, "other.example")
      const address = newAddress("other.example")
      yield* serve(address)
      const expected = { status: "approved", scopes: ["PROFILE_READ"] } as const
      assert.deepInclude({ ...(yield* introduce(address, ["BOOKING_MANAGE"])) }, expected)
      assert.deepInclude({ ...(yield* introduce(waiting, ["BOOKING_MANAGE"])) }, expected)
      assert.isTrue(yield* hosts.end(admin, "other.example"))
      assert.isFalse(yield* hosts.end(admin, "other.example"))
      const late = newAddress("other.example")
      yield* serve(late)
      assert.strictEqual((yield* introduce(late)).status, "pending")
    }))

  it.effect("is none of those at which strangers get names, and nothing above or below it", () =>
    Effect.gen(function*() {
      const hosts = yield* TrustedHosts
      const admin = yield* newAccount("admin", "admin")
      for (const host of ["alice.github.io", "github.io", "app.vercel.app", "co.uk", "com", "x.s3.amazonaws.com"]) {
        const { code } = yield* Effect.flip(hosts.trust(admin, host))
        assert.strictEqual(code, "host_shared", host)
      }
      yield* hosts.trust(admin, "example")
        .pipe(Effect.flip)
      yield* hosts.trust(admin, "apps.agent.co.uk")
      assert.isFalse(yield* hosts.isTrusted("agent.co.uk"))
      assert.isFalse(yield* hosts.isTrusted("x.apps.agent.co.uk"))
      assert.isTrue(yield* hosts.isTrusted("apps.agent.co.uk"))
    }))
})

layer(Stage)("Budgets of documents", (it) => {
  it.effect("bound what one person, and one host, may put before the reviewers", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const person = yield* newAccount("person")
      const isRefused = (address: string) =>
        Effect.map(Effect.exit(introduce(address, [], person)), (exit) =>
          Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof TooManyAttempts)
      let refused = 0
      for (let n = 0; n < 30; n++) {
        const address = newAddress()
        yield* serve(address)
        if (yield* isRefused(address)) {
          refused++
        }
      }
      assert.strictEqual(refused, 10)
      const rows = yield* sql`SELECT 1 FROM audit_log WHERE action = 'client.introduced' AND actor = ${person}`
      assert.lengthOf(rows, 20)
    }))
})

layer(servicesWith({ ACCOUNT_BUDGET: "100" }).pipe(Layer.provideMerge(Host.layer)))("Requests for documents", (it) => {
  it.effect("end with the budget of the person, or of the host", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const person = yield* newAccount("person")
      const address = newAddress()
      yield* answer(address, "", {}, 404)
      const attempt = (person?: Effect.Success<ReturnType<typeof newAccount>>) =>
        Effect.map(Effect.exit(introduce(address, [], person)), (exit) =>
          Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof TooManyAttempts)
      for (let n = 0; n < 100; n++) {
        assert.isFalse(yield* attempt(person))
      }
      host.requests()
      assert.isTrue(yield* attempt(person))
      assert.isTrue(yield* attempt(), "another person, the same host")
      assert.isEmpty(host.requests())
      yield* TestClock.adjust(Duration.hours(1))
      assert.isFalse(yield* attempt(person))
    }))
})

layer(servicesWith({ CLIENT_DOCUMENTS: "off" }).pipe(Layer.provideMerge(Host.layer)))(
  "Where documents are off",
  (it) => {
    it.effect("none is asked for", () =>
      Effect.gen(function*() {
        const host = yield* Host.PictureHost
        assert.strictEqual(yield* refusal(newAddress()), "documentsOff")
        assert.isEmpty(host.connections())
      }))
  }
)
