import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Struct } from "effect"
import { cpus } from "node:os"
import { beside } from "./experiments/Beside.ts"
import { catalogueChange } from "./experiments/CatalogueChange.ts"
import { comparison } from "./experiments/Comparison.ts"
import { cores } from "./experiments/Cores.ts"
import { day } from "./experiments/Day.ts"
import { doubles } from "./experiments/Doubles.ts"
import { growth } from "./experiments/Growth.ts"
import { imports } from "./experiments/Imports.ts"
import { large } from "./experiments/Large.ts"
import { long } from "./experiments/Long.ts"
import { overload } from "./experiments/Overload.ts"
import { pages } from "./experiments/Pages.ts"
import { rolling, upgrade } from "./experiments/Rolling.ts"
import { sizes } from "./experiments/Sizes.ts"
import { turns } from "./experiments/Turns.ts"
import { usage } from "./experiments/Usage.ts"
import * as Options from "./Options.ts"
import * as Postgres from "./Postgres.ts"
import * as Profile from "./Profile.ts"

const experiments = {
  comparison,
  beside,
  turns,
  large,
  growth,
  cores,
  overload,
  long,
  import: imports,
  rolling,
  upgrade,
  catalogue: catalogueChange,
  day,
  sizes,
  usage,
  doubles,
  pages
}

const bench = Effect.gen(function*() {
  const { experiment, ...options } = Options.read(Struct.keys(experiments), "comparison")
  const postgres = yield* Postgres.serve
  yield* Console.log(
    `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}, ${postgres.version}; ` +
      `${options.connections} connections, ${options.clients} clients, ${options.seconds} s each`
  )
  if (options.profile) Profile.clear()
  // A server writes its profile when it ends.
  yield* Effect.scoped(experiments[experiment](postgres, options))
  if (options.profile) yield* Console.log(`\n${Profile.summaries().join("\n\n")}`)
})

bench.pipe(Effect.scoped, NodeRuntime.runMain)
