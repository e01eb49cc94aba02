import { Duration, Effect, Schema } from "effect"
import { operator } from "../../../core/audit/Operator.ts"
import { Catalogues, readByAll, ReadInterval, Stored } from "../../../core/catalogue/Catalogues.ts"
import * as Planned from "../../../core/catalogue/Plan.ts"
import { toggle } from "../Flags.ts"
import * as Progress from "../Progress.ts"
import { file } from "./Asked.ts"
import { command, proposed } from "./Proposed.ts"

const Answer = Schema.Struct(Stored.fields).annotate({ identifier: "StoredCatalogue" })

const by = { actor: operator }

/** `slotkey catalogue apply` */
export const apply = command({
  name: "apply",
  description:
    "Announce a catalogue: from then on nodes may have it, and each call must satisfy it and the one in force",
  examples: [
    ["catalogue apply slotkey.catalogue.json", "Then restart the nodes with it, and finish"],
    ["catalogue apply slotkey.catalogue.json --widen", "Although apps get more than users have allowed"]
  ],
  input: { file, widen: toggle("widen", "Although it gives apps more than users have allowed") },
  answer: Answer,
  run: Effect.fnUntraced(function*({ file, widen }) {
    const stored = yield* Planned.apply(yield* proposed(file), by, widen)
    yield* Progress.during("Waiting until all nodes have read it")(Effect.sleep(readByAll))
    return stored
  }),
  lines: ({ hash }) => [
    `${hash} is announced, and all nodes know it.`,
    "Restart them with it one by one. When all have it: slotkey catalogue finish"
  ]
})

/** `slotkey catalogue finish` */
export const finish = command({
  name: "finish",
  description: "Put the announced catalogue into force: a node with another one is not ready any more",
  examples: [["catalogue finish", "When all servers and workers were restarted with it"]],
  input: {},
  answer: Answer,
  run: Effect.fnUntraced(function*() {
    return yield* (yield* Catalogues).finish(by)
  }),
  lines: ({ hash }) => [`${hash} is in force. ${follow}`]
})

/** `slotkey catalogue withdraw` */
export const withdraw = command({
  name: "withdraw",
  description: "Take the announcement back: the catalogue in force stays",
  examples: [["catalogue withdraw", "After the nodes were restarted with the catalogue in force"]],
  input: {},
  answer: Answer,
  run: Effect.fnUntraced(function*() {
    return yield* (yield* Catalogues).withdraw(by)
  }),
  lines: ({ hash }) => [`${hash} is not announced any more. ${follow}`]
})

const follow = `Nodes learn of it within ${Duration.toSeconds(ReadInterval)} seconds.`
