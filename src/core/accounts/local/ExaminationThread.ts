import { ZxcvbnFactory } from "@zxcvbn-ts/core"
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common"
import { parentPort } from "node:worker_threads"

// Thread that examines passwords. It loads nothing of the server, and the server loads nothing of the dictionary, which
// takes 20 MB.

/** A password, or its beginning, and the words that an attacker tries first. */
export interface Examination {
  readonly beginning: string
  readonly words: ReadonlyArray<string>
}

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

// Each is answered with the number of attempts after which a guesser has it.
parentPort?.on("message", ({ beginning, words }: Examination) => {
  parentPort?.postMessage(zxcvbn.check(beginning, [...words]).guesses)
})
