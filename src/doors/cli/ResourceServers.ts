import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { operator } from "../../core/audit/Operator.ts"
import { resourceNotFound } from "../../core/resources/ResourceProblems.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { confirm, yes } from "./Confirmation.ts"
import { optionalText, text } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { ResourceCommandServices } from "./Services.ts"

const command = OperatorCommand.over(ResourceCommandServices)

const ResourceServer = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  lastFour: Schema.String,
  /** Identifier of the resource about whose tokens alone it may ask; `null` for those of all. */
  resource: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate
})

const create = command({
  name: "create",
  description: "Create a resource server; print its id and, once, its credential",
  examples: [
    ["resource-servers create --name our-api", "A server that may ask about all tokens"],
    [
      "resource-servers create --name our-mcp-server --resource https://mcp.example.com/mcp",
      "One that may ask about the tokens of this resource alone"
    ]
  ],
  input: {
    name: text("name", "Which server it is"),
    resource: optionalText("resource", "The identifier of the resource about whose tokens alone it may ask")
  },
  answer: Schema.Struct({ ...ResourceServer.fields, credential: Schema.String }),
  run: Effect.fnUntraced(function*({ name, resource }) {
    const servers = yield* ResourceServers
    const { credential, server } = yield* Option.match(resource, {
      onNone: () => servers.create(name),
      onSome: (identifier) =>
        Effect.flatMap(Resources, ({ find }) => find(identifier)).pipe(
          Effect.flatMap(Option.match({
            onNone: () => Effect.fail(resourceNotFound),
            onSome: (found) => servers.createFor(found, name, operator)
          }))
        )
    })
    return { ...server, credential: Redacted.value(credential) }
  }),
  lines: ({ credential, id }) => [`${id}\t${credential}`]
})

const list = command({
  name: "list",
  description: "List the resource servers: id, the end of the credential, day of creation, name, resource",
  examples: [["resource-servers list --json", "All of them, as JSON"]],
  input: {},
  answer: Schema.Array(ResourceServer),
  run: () => Effect.flatMap(ResourceServers, ({ list }) => list),
  lines: (servers) =>
    servers.map(({ createdAt, id, lastFour, name, resource }) =>
      [id, `…${lastFour}`, DateTime.formatIsoDateUtc(createdAt), name, resource ?? "all"].join("\t")
    )
})

const revoke = command({
  name: "revoke",
  description: "End the credential of a resource server at once",
  examples: [["resource-servers revoke SERVER_ID --yes", "After a leak, or when the server is gone"]],
  input: { id: Argument.String("id").pipe(Argument.withDescription("The id that `list` shows")), yes },
  answer: Schema.Struct({ revoked: Schema.String }),
  run: Effect.fnUntraced(function*({ id, yes }) {
    yield* confirm(`Revoke the credential of ${id}?`, yes)
    if (yield* (yield* ResourceServers).revoke(id)) return { revoked: id }
    return yield* new NotFound({ code: "resource_server_not_found", message: `There is no resource server ${id}.` })
  }),
  lines: ({ revoked }) => [`Revoked ${revoked}.`]
})

/** `slotkey resource-servers …` */
export const resourceServers = Command.make("resource-servers").pipe(
  Command.withDescription(
    "Servers that may ask about the access tokens of all apps, of one resource or of all (RFC 7662)"
  ),
  Command.withSubcommands([create, list, revoke])
)
