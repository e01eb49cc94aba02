import { Layer } from "effect"
import * as Switch from "../../src/testing/DatabaseOutage.ts"
import * as TestDatabase from "./TestDatabase.ts"

export { DatabaseOutage } from "../../src/testing/DatabaseOutage.ts"

/** A test's database behind the switch. */
export const layer = Layer.provide(Switch.layer, TestDatabase.layer)
