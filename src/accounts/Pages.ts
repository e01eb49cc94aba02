import { Layer } from "effect"
import { AccountPages } from "./AccountPages.ts"
import { SetupPages } from "./SetupPages.ts"
import { SignInPages } from "./SignInPages.ts"

/** All pages of the room. */
export const AccountsPages = Layer.mergeAll(SignInPages, SetupPages, AccountPages)
