// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { clientAddress, network } from "../../../src/foundation/http/ClientAddress.ts"

const from = (peer: string, forwarded?: string) =>
  HttpServerRequest.fromWeb(
    new Request("https://slotkey.test/", { headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } })
  ).modify({ remoteAddress: Option.some(peer) })

describe("clientAddress", () => {
  it.effect.each([
    { proxies: "0", forwarded: "192.0.2.66", is: "198.51.100.1" },
    { proxies: "1", forwarded: "192.0.2.66", is: "192.0.2.66" },
    { proxies: "1", forwarded: "6.6.6.6, 192.0.2.66", is: "192.0.2.66" },
    { proxies: "2", forwarded: "6.6.6.6, 192.0.2.66, 203.0.113.9", is: "192.0.2.66" },
    { proxies: "2", forwarded: "192.0.2.66", is: "198.51.100.1" },
    { proxies: "1", forwarded: undefined, is: "198.51.100.1" },
    { proxies: "1", forwarded: "", is: "198.51.100.1" },
    { proxies: "1", forwarded: "not an address", is: "unknown" }
  ])("behind $proxies proxies with $forwarded is $is", ({ forwarded, is, proxies }) =>
    Effect.gen(function*() {
      assert.strictEqual(clientAddress(yield* AppConfig, from("198.51.100.1", forwarded)), is)
    }).pipe(Effect.provide(AppConfig.layerTest({ TRUSTED_PROXIES: proxies }))))
})

describe("network", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1:4711", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["[2001:DB8:1:2::9]:443", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["fe80::1%eth0.1-a:b", "fe80:0:0:0::/64"],
    ["::ffff:192.0.2.1%eth0.1", "192.0.2.1"],
    ["0:0:0:0:0:FFFF:C000:201", "192.0.2.1"],
    ["0300.0.2.1", "unknown"],
    ["2001:db8::1::2", "unknown"],
    ["whatever", "unknown"],
    ["", "unknown"]
  ])("of %s is %s", (address, expected) => {
    assert.strictEqual(network(address), expected)
  })
})
