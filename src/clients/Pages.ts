import { Layer } from "effect"
import { AppPages } from "./AppPages.ts"
import { RegisterPages } from "./RegisterPages.ts"
import { ReviewPages } from "./ReviewPages.ts"

/** All pages of the room. */
export const ClientsPages = Layer.mergeAll(RegisterPages, AppPages, ReviewPages)
