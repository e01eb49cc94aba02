import { assert, describe, it } from "@effect/vitest"
import { networksOf } from "../../src/domain/CallerNetwork.ts"

describe("networksOf", () => {
  it.each([
    ["192.0.2.1", ["192.0.2.1"]],
    ["unknown", ["unknown"]],
    ["2001:db8:1:2fc::/64", ["2001:db8:1::/48", "2001:db8:1:200::/56", "2001:db8:1:2fc::/64"]],
    ["2001:db8:1:2::/64", ["2001:db8:1::/48", "2001:db8:1:0::/56", "2001:db8:1:2::/64"]],
    ["2001:db8:1:ffff::/64", ["2001:db8:1::/48", "2001:db8:1:ff00::/56", "2001:db8:1:ffff::/64"]],
    ["0:0:0:0::/64", ["0:0:0::/48", "0:0:0:0::/56", "0:0:0:0::/64"]]
  ])("of %s are %s, the wider ones with more", (address, names) => {
    const networks = networksOf(address)
    assert.deepStrictEqual(networks.map(({ name }) => name), names)
    assert.deepStrictEqual(networks.map(({ share }) => share), [4, 2, 1].slice(-names.length))
  })
})
