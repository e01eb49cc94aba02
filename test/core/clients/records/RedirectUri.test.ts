import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  keptProblem,
  kindFaults,
  matches,
  problem,
  RedirectUris,
  redirectUrisWith
} from "../../../../src/core/clients/records/RedirectUri.ts"

describe("RedirectUri", () => {
  it.each([
    "https://app.example/callback",
    "https://app.example",
    "https://app.example:8443/a?b=c&d=%20",
    "https://app.example/callback?States=1&codes=2&x=code",
    "https://app.example/code/state",
    "https://[2001:db8::1]/callback",
    "https://localhost/callback",
    "http://localhost/callback",
    "http://localhost:8080",
    "http://127.0.0.1:1/x?y",
    "http://[::1]:9999/",
    "com.example.app:/callback",
    "com.example.app://callback",
    "https://app.example/~a;b=c,d/@:!$&'()*+?e=/f?g%5B%5D",
    "com.example.app:callback",
    "https://my_app.example/callback",
    "https://xn--bcher-kva.example/callback"
  ])("takes %s", (uri) => assert.isUndefined(problem(uri)))

  it.each([
    "",
    "/callback",
    "//app.example/callback",
    "app.example/callback",
    "https:app.example",
    "https:/app.example",
    "https:///app.example",
    "https://",
    "https://app.example/#",
    "https://app.example/callback#fragment",
    "https://user@app.example/",
    "https://user:password@app.example/",
    "https://@app.example/",
    "https://app.example\\@evil.example/",
    "https://app.example:99999/",
    "https://app.example:/",
    "https://ex%61mple.com/",
    "https://*.example.com/",
    "https://app.example/a b",
    "https://app.example/\u0000",
    "https://app.example/\n",
    "https://b\u00fccher.example/",
    "https://app.example/{tenant}/callback",
    "https://app.example/callback?to=<app>",
    "https://app.example/\"callback\"",
    "https://app.example/a|b^c`d",
    "https://app.example/callback?a[]=b",
    "https://app.example/100%",
    "https://app.example/%zz",
    "http://localhost/{port}",
    "com.example.app:/{tenant}",
    "https://app.example/\ud800",
    `https://app.example/${"a".repeat(2048)}`,
    "http://app.example/callback",
    "http://localhost.evil.example/",
    "http://localhost@evil.example/",
    "http://127.0.0.1.evil.example/",
    "http://127.1/",
    "http://0x7f000001/",
    "http://[::ffff:127.0.0.1]/",
    "HTTP://app.example/",
    "javascript:alert(1)",
    "JavaScript:alert(1)//a.b",
    "data:text/html,x.y",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://app.example/x",
    "about:blank",
    "myapp:/callback",
    "urn:ietf:wg:oauth:2.0:oob",
    ".app:/callback",
    "com.:/callback",
    "com.example.app:",
    "com.example.app://user@host/",
    "https://app.example/callback?code=1",
    "https://app.example/callback?a=b&state=fixed",
    "https://app.example/callback?iss",
    "https://app.example/callback?error=",
    "https://app.example/callback?error_description=none",
    "https://app.example/callback?error_uri=none",
    "https://app.example/callback?%73tate=fixed",
    "http://localhost/callback?state=fixed",
    "com.example.app:/callback?state=fixed"
  ])("refuses %j", (uri) => assert.isDefined(problem(uri)))

  it.each([
    ["http://127.0.0.1:*/cb", "must not have a wildcard (*): leave the port out, since any port of loopback is taken"],
    ["https://*.crm.example/cb", "must not have a wildcard (*): each address is an entry of its own"],
    ["https://crm.example/*", "must not have a wildcard (*): each address is an entry of its own"],
    ["http://localhost:3000/*", "must not have a wildcard (*): each address is an entry of its own"],
    ["https://crm.example:*/cb", "must not have a wildcard (*): each address is an entry of its own"],
    ["https://crm.example/*/cb", "must not have a wildcard (*): each address is an entry of its own"],
    ["https://crm.example/cb*", "must not have a wildcard (*): each address is an entry of its own"],
    ["https://crm.example/cb?next=*", "must not have a wildcard (*): each address is an entry of its own"],
    ["https://a.example/cb,https://b.example/cb", "must be one address: each of several is an entry of its own"],
    ["https://a.example/cb; https://b.example/cb", "must be one address: each of several is an entry of its own"],
    ["https://a.example/cb https://b.example/cb", "must be one address: each of several is an entry of its own"],
    ["https://a.example/cb\ncom.example.app:/cb", "must be one address: each of several is an entry of its own"],
    ["https://a.example/a b", "must not contain spaces or control characters"],
    ["https://bücher.example/cb", "must have its host in ASCII: xn--bcher-kva.example"],
    ["https://a.example/bücher", "must have characters beyond ASCII percent-encoded"],
    ["HTTPS://a.example/cb", "must have its scheme in lower case: addresses are compared character by character"],
    ["Http://localhost/cb", "must have its scheme in lower case: addresses are compared character by character"],
    ["https:/a.example/cb", "must have two slashes and a host after its scheme, as in https://app.example/callback"],
    ["https:///cb", "must name a host, such as https://app.example/callback"],
    ["https://ex%61mple.com/", "must have a host of letters, digits, dots, hyphens and underscores"],
    ["https://a.example:/cb", "must have no colon after its host, or a port after the colon"],
    ["https://a.example:99999/cb", "must have a port from 0 to 65535"],
    ["https://a.example:port/cb", "must have a port from 0 to 65535"],
    ["http://localhost:/cb", "must have no colon after its host, or a port after the colon"],
    ["http://localhost:99999/cb", "must have a port from 0 to 65535"],
    [
      "https://192.0.2.999/cb",
      "must have an IP address that exists as its host: four numbers up to 255, or IPv6 in brackets"
    ],
    ["https://[::g]/cb", "must have a host of letters, digits, dots, hyphens and underscores"],
    [
      "https://[1:2]/cb",
      "must have an IP address that exists as its host: four numbers up to 255, or IPv6 in brackets"
    ],
    ["http://a.example/cb", "must be https; http is for loopback alone: 127.0.0.1, [::1] or localhost"],
    ["javascript:alert(1)", "must not begin with javascript: which is no app's own scheme"],
    ["intent://x", "must not begin with intent: which is no app's own scheme"],
    [
      "urn:ietf:wg:oauth:2.0:oob",
      "must be an address: use http on loopback instead of a urn for codes that are typed in"
    ],
    ["com.:/cb", "must have a domain name in reverse order as its scheme"],
    ["com.example.app:", "must have a path after the scheme"]
  ])("says what is wrong with %j", (uri, cause) => {
    assert.strictEqual(problem(uri)?.message, cause)
  })

  it("names the https addresses of programs whose scheme anybody can claim", () => {
    for (
      const uri of ["vscode://x.y/cb", "raycast://oauth", "cursor://anysphere.cursor-mcp/oauth/callback", "myapp:/cb"]
    ) {
      const cause = problem(uri)?.message ?? ""
      assert.include(cause, `any program can claim ${uri.slice(0, uri.indexOf(":"))}.`)
      assert.include(cause, "https://vscode.dev/redirect")
      assert.include(cause, "https://raycast.com/redirect")
    }
  })

  it("takes the schemes without a dot that the operator lists, exactly as they are, for public clients", () => {
    const schemes = new Set(["cursor", "vscode"])
    const isTaken = Schema.is(redirectUrisWith(schemes))
    assert.isTrue(
      isTaken(["cursor://anysphere.cursor-mcp/oauth/callback", "vscode://publisher.extension/cb", "cursor:/cb"])
    )
    for (
      const uri of [
        "myapp://cb",
        "cursors://cb",
        "javascript:alert(1)",
        "http://a.example/",
        "cursor:",
        "cursor://u@h/"
      ]
    ) {
      assert.isFalse(isTaken([uri]), uri)
    }
    assert.include(problem("Cursor://cb", schemes)?.message, "in lower case")
    assert.include(problem("myapp://cb", schemes)?.message, "one that this server takes (cursor, vscode)")
    assert.deepStrictEqual(kindFaults("public", ["cursor://cb"], schemes), [])
    assert.deepStrictEqual(kindFaults("confidential", ["cursor://cb"], schemes), [
      {
        path: "redirectUris.0",
        message: "a private-use scheme is for public clients alone",
        rule: { code: "privateScheme", values: {} }
      }
    ])
    assert.isFalse(matches(["cursor://cb"], "cursor://cb/"))
    assert.isFalse(matches(["cursor://cb"], "cursor://CB"))
  })

  it("lets an import keep what another server took", () => {
    for (
      const uri of ["http://my_app.example/cb", "https://crm.example/*", "https://a.example/cb,https://b.example/cb"]
    ) {
      assert.isUndefined(keptProblem(uri), uri)
    }
  })

  it("keeps private-use schemes for public clients", () => {
    const uris = ["https://app.example/callback", "com.example.app:/callback"]
    assert.deepStrictEqual(kindFaults("public", uris), [])
    assert.deepStrictEqual(kindFaults("confidential", uris).map(({ path }) => path), ["redirectUris.1"])
  })

  it("takes one to ten addresses, none twice", () => {
    const takes = Schema.is(RedirectUris)
    const uris = Array.from({ length: 11 }, (_, i) => `https://app.example/${i}`)
    assert.isFalse(takes([]))
    assert.isTrue(takes(uris.slice(0, 1)))
    assert.isTrue(takes(uris.slice(0, 10)))
    assert.isFalse(takes(uris))
    assert.isFalse(takes(["https://app.example/", "https://app.example/"]))
  })
})

describe("matches", () => {
  const registered = [
    "https://app.example/callback",
    "http://localhost:3000/callback?a=b",
    "http://[::1]",
    "http://127.0.0.1/",
    "http://localhost/?a=b",
    "com.app.x:/cb"
  ]

  it.each([
    ...registered,
    "http://localhost/callback?a=b",
    "http://localhost:65535/callback?a=b",
    "http://[::1]:1",
    "http://[::1]/",
    "http://[::1]:1/",
    "http://127.0.0.1",
    "http://127.0.0.1:49152",
    "http://127.0.0.1:49152/",
    "http://localhost:49152?a=b"
  ])("takes %s", (uri) => assert.isTrue(matches(registered, uri)))

  it.each([
    "",
    "https://app.example/callback/",
    "https://app.example:443/callback",
    "https://APP.example/callback",
    "https://app.example/callback?x",
    "https://app.example/callback#",
    "https://app.example/callbac",
    "http://app.example/callback",
    "http://localhost:3000/callback",
    "http://localhost:3000/callback?a=b#",
    "http://localhost:3000/callback?a=b&c",
    "http://127.0.0.1:3000/callback?a=b",
    "http://localhost:3000@evil.example/callback?a=b",
    "http://localhost:99999/callback?a=b",
    "http://localhost:/callback?a=b",
    "https://localhost:3000/callback?a=b",
    "http://[::1]/x",
    "http://127.0.0.1:49152/x",
    "http://127.0.0.1:49152?a=b",
    "http://127.0.0.1:49152//",
    "com.app.x:/cb2"
  ])("refuses %j", (uri) => assert.isFalse(matches(registered, uri)))

  const Host = Schema.Literals(["127.0.0.1", "[::1]", "localhost", "app.example", "localhost.evil.example"])
  const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65535 }))
  const Tail = Schema.Literals(["", "/", "/callback", "/callback?a=b", "/x"])
  const Address = Schema.Struct({ scheme: Schema.Literals(["http", "https"]), host: Host, port: Port, tail: Tail })
  const text = ({ host, port, scheme, tail }: typeof Address.Type) => `${scheme}://${host}:${port}${tail}`

  it.prop("varies port and empty path alone, and those on http loopback alone", [Address, Address], ([one, other]) => {
    const local = one.scheme === "http" && ["127.0.0.1", "[::1]", "localhost"].includes(one.host)
    const tail = ({ tail }: typeof Address.Type) => local && tail === "" ? "/" : tail
    const same = one.scheme === other.scheme && one.host === other.host && tail(one) === tail(other)
    assert.strictEqual(matches([text(one)], text(other)), same && (one.port === other.port || local))
  })

  it.prop("matches every address with itself", [Address], ([one]) => assert.isTrue(matches([text(one)], text(one))))

  it.prop("never matches another text with an https address", [Schema.String, Address], ([presented, one]) => {
    const registered = text({ ...one, scheme: "https" })
    assert.strictEqual(matches([registered], presented), presented === registered)
  })
})
