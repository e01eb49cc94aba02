import { Effect, Option } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import { operator } from "../../core/audit/Operator.ts"
import { nobody } from "../../core/clients/records/Nobody.ts"
import { html, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/**
 * Names of people by their ids, the operator's, and what stands for nobody, for pages about what they own and have
 * done. People whom `find` does not know have none.
 */
export const peopleNames = Effect.fnUntraced(function*(
  ids: ReadonlyArray<string>,
  find: (id: string) => Effect.Effect<Option.Option<Account>>
) {
  const found = yield* Effect.forEach(new Set(ids), (id) => find(id), { concurrency: "unbounded" })
  return new Map<string, Phrase>([
    [operator, text("people.operator")],
    [nobody, text("people.nobody")],
    ...found.flatMap(Option.toArray).map(({ id, name }) => [id, html`<bdi>${name}</bdi>`] as const)
  ])
})
