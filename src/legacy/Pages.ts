import { Layer } from "effect"
import { BoardPages } from "./BoardPages.ts"
import { MigrationPages } from "./MigrationPages.ts"

/** All pages of the room. */
export const LegacyPages = Layer.mergeAll(BoardPages, MigrationPages)
