import type { Effect } from "effect"
import type { Accounts } from "../src/core/accounts/local/Accounts.ts"
import type { MailedLinks } from "../src/core/accounts/local/MailedLinks.ts"
import type { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import type { CodeStore } from "../src/core/grants/CodeStore.ts"
import type { Answer, Attempt } from "./Attempt.ts"
import type { Dice } from "./Dice.ts"
import type { World } from "./World.ts"

/** Sends a request and holds its answer to the rules; answers nothing where no answer came. */
export type Try = (attempt: Attempt) => Effect.Effect<Answer | undefined>

/** A way to make requests: a turn of it sends one request, or a few that follow from each other. */
export interface Target {
  readonly name: string
  readonly turn: (
    attempt: Try,
    world: World,
    dice: Dice
  ) => Effect.Effect<void, never, Accounts | ClientRegistry | CodeStore | MailedLinks>
}
