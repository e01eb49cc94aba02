import { assert, describe, it } from "@effect/vitest"
import { isPublic } from "../../../src/foundation/outbound/PublicAddress.ts"

describe("PublicAddress", () => {
  it.each([
    ["loopback", "127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1"],
    [
      "private",
      "10.0.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "fd12:3456::1",
      "::ffff:10.0.0.1",
      "fec0::1"
    ],
    ["link-local", "169.254.1.1", "fe80::1", "fe80::1%eth0", "::ffff:169.254.169.254"],
    [
      "metadata of a cloud",
      "169.254.169.254",
      "fd00:ec2::254",
      "100.100.100.200",
      "192.0.0.192",
      "168.63.129.16",
      "::ffff:a83f:8110"
    ],
    ["nobody's", "0.0.0.0", "::", "255.255.255.255", "224.0.0.1", "ff02::1", "240.0.0.1", "192.0.2.1", "2001:db8::1"],
    ["shared", "100.64.0.1", "198.18.0.1"],
    [
      "IPv4 in an IPv6 address",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "2001::1",
      "::ffff:0:127.0.0.1",
      "::7f00:1",
      "::a00:1",
      "::808:808"
    ],
    ["of a block that is given to nobody", "::2", "0:0:1::1", "100:0:0:1::1", "4000::1", "a000::1", "e000::1"],
    ["not an address", "", "localhost", "pictures.example", "8.8.8.8.8"]
  ])("refuses one that is %s", (_, ...addresses) => {
    for (const address of addresses) assert.isFalse(isPublic(address), address)
  })

  it("takes those of the public internet", () => {
    for (
      const address of ["8.8.8.8", "93.184.216.34", "172.32.0.1", "::ffff:8.8.8.8", "2606:4700:4700::1111", "2a00::1"]
    ) {
      assert.isTrue(isPublic(address), address)
    }
  })
})
