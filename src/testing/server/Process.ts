import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Console, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { loadCatalogue } from "../../foundation/config/LoadCatalogue.ts"
import * as Reset from "../Reset.ts"
import { TestRoutes } from "../TestRoutes.ts"
import { TestServer } from "../TestServer.ts"
import * as Commands from "./Commands.ts"
import * as ControlDoor from "./ControlDoor.ts"
import * as Door from "./Door.ts"
import * as StartingData from "./StartingData.ts"

interface Options {
  /** File of a catalogue, in the place of the built-in one. */
  readonly catalogue?: string | undefined
  /** Port of the server; 0 for one that is free. */
  readonly port: number
  /** Ends when standard input does, as when the program that started it was killed. */
  readonly stdin: boolean
}

/**
 * Runs a test server until it is interrupted: prints where it is and what is there, and takes commands on another port.
 */
export const run = Effect.fnUntraced(
  function*({ catalogue, port, stdin }: Options) {
    if (process.env["NODE_ENV"] === "production") {
      return yield* new Door.TestServerError({ message: "A test server is not for production (NODE_ENV)" })
    }
    const own = catalogue === undefined ? {} : { catalogue: (yield* loadCatalogue(catalogue)).file }
    const scope = yield* Effect.scope
    const door = yield* Door.open(port)
    const controlDoor = yield* Door.open(0)
    const services = yield* Layer.build(TestServer.layerWithRoutes({ BASE_URL: door.url, ...own }))
    const { answer, context } = Context.get(services, TestRoutes)
    const start = yield* Effect.provideContext(StartingData.make, services)
    const sql = Context.get(services, SqlClient.SqlClient)
    const { reset } = Context.get(services, TestServer)
    const restoreRows = yield* Reset.keep(sql)
    // The kit forgets mails and events with all rows, and those of the start come back.
    const restore = Effect.andThen(reset, restoreRows)
    yield* restore
    const token = Redacted.make(randomBytes(32).toString("base64url"))
    const commands = yield* Effect.provideContext(Commands.make(start, restore), services)
    controlDoor.answer(yield* NodeHttpServer.makeHandler(ControlDoor.answer(token, commands), { scope }))
    door.answer(yield* Effect.provideContext(NodeHttpServer.makeHandler(answer, { scope }), context))
    yield* Console.log(JSON.stringify({
      warning: "For tests alone: everything is in memory and ends with this process.",
      issuer: door.url,
      authorizationEndpoint: `${door.url}/auth/oauth2/authorize`,
      tokenEndpoint: `${door.url}/v2/auth/oauth2/token`,
      ...start,
      control: { url: controlDoor.url, token: Redacted.value(token) }
    }))
    yield* stdin ? ended : Effect.never
  },
  Effect.scoped
)

const ended = Effect.callback<void>((resume) => {
  process.stdin.once("end", () => resume(Effect.void))
  process.stdin.resume()
})
