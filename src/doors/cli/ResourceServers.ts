import { Console, DateTime, Effect, Layer, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { Infrastructure } from "./Services.ts"

const create = Command.make(
  "create",
  { name: Flag.String("name").pipe(Flag.withDescription("Which server it is")) },
  Effect.fnUntraced(function*({ name }) {
    const { credential, server } = yield* (yield* ResourceServers).create(name)
    yield* Console.log(`${server.id}\t${Redacted.value(credential)}`)
  })
).pipe(Command.withDescription("Create a resource server; print its id and, once, its credential"))

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function*() {
    for (const { createdAt, id, lastFour, name } of yield* (yield* ResourceServers).list) {
      yield* Console.log(`${id}\t…${lastFour}\t${DateTime.formatIsoDateUtc(createdAt)}\t${name}`)
    }
  })
).pipe(Command.withDescription("List the resource servers"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The id that `list` shows")) },
  Effect.fnUntraced(function*({ id }) {
    if (yield* (yield* ResourceServers).revoke(id)) return yield* Console.log(`Revoked ${id}.`)
    return yield* new NotFound({ code: "resource_server_not_found", message: `There is no resource server ${id}.` })
  })
).pipe(Command.withDescription("End the credential of a resource server at once"))

/** `slotkey resource-servers …` */
export const resourceServers = Command.make("resource-servers").pipe(
  Command.withDescription("Servers that may ask about the access tokens of all apps (RFC 7662)"),
  Command.withSubcommands([create, list, revoke]),
  Command.provide(ResourceServers.layer.pipe(Layer.provide(Infrastructure)))
)
