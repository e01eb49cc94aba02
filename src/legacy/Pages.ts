import { Layer } from "effect"
import { MigrationPages } from "./MigrationPages.ts"

/** All pages of the room. */
export const LegacyPages = Layer.mergeAll(MigrationPages)
