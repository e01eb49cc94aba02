import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import * as EmbeddedPool from "./EmbeddedPool.ts"
import * as TestDatabase from "./TestDatabase.ts"

/**
 * Makes the database that those of the suites are copies of, or the folder for embedded ones, before any of them runs,
 * and drops it after the last one.
 */
export default async () => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Scope.provide(TestDatabase.temporarySchemaUrl, scope))
  if (url === undefined) {
    process.env[EmbeddedPool.folderVariable] = await Effect.runPromise(
      Scope.provide(TestDatabase.temporaryFolder, scope)
    )
  } else {
    // Nobody may be connected to a database that is copied.
    await Effect.runPromise(Effect.scoped(Layer.build(TestDatabase.at(Redacted.value(url)))))
    process.env[TestDatabase.templateVariable] = new URL(Redacted.value(url)).pathname.slice(1)
  }
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
