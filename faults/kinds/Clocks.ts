import { Effect } from "effect"
import type { Fault } from "../Fault.ts"

// Servers whose clocks differ from the database's, and from each other.

const wrong = (name: string, what: string, clocks: readonly [number, number]): Fault => ({
  name: `clocks-${name}`,
  what,
  world: { clocks },
  // Both directions in one world; `test/flows/Clocks.test.ts` has them all.
  isLeftOut: name !== "both",
  lasts: [4, 40],
  recovers: { from: "beginning", clients: 0, notices: 5 },
  inflict: (_, seconds) => Effect.sleep(seconds * 1000)
})

export const clocks: ReadonlyArray<Fault> = [
  wrong("ahead-45s", "a server's clock is 45 s ahead", [45, 0]),
  wrong("behind-45s", "a server's clock is 45 s behind", [-45, 0]),
  wrong("ahead-1h", "a server's clock is 1 h ahead", [3600, 0]),
  wrong("behind-1h", "a server's clock is 1 h behind", [-3600, 0]),
  wrong("both", "one server's clock is 1 h ahead, the other's 45 s behind", [3600, -45])
]
