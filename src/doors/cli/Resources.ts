import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { operator } from "../../core/audit/Operator.ts"
import { Resource } from "../../core/resources/Resource.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { usageInWords } from "../../core/resources/ResourceUsage.ts"
import { metadataUrl } from "../resource/ResourceMetadata.ts"
import { confirm, yes } from "./Confirmation.ts"
import { optionalText, text } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import * as Progress from "./Progress.ts"
import { ResourceCommandServices } from "./Services.ts"

const command = OperatorCommand.over(ResourceCommandServices)

/** A resource with the address of its metadata (RFC 9728 §3.1). */
const ListedResource = Schema.Struct({ ...Resource.fields, metadataUrl: Schema.String })

const listed = (resource: Resource) => ({ ...resource, metadataUrl: metadataUrl(resource.identifier) })

const resource = Argument.String("resource").pipe(Argument.withDescription("Its identifier, or its id"))

/** Resource with this identifier or id. */
const getResource = Effect.fnUntraced(function*(name: string) {
  const resources = yield* Resources
  const found = yield* resources.find(name)
  return Option.isSome(found) ? found.value : yield* resources.get(name)
})

const scopes = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.atLeast(0))

const scope = scopes("scope", "A scope of the catalogue that apps may ask for; once for each")
const base = scopes("base", "One of them with which clients begin that know nothing else; once for each")

const list = command({
  name: "list",
  description: "List the resources by name: identifier, number of scopes, base set, name",
  examples: [["resources list --json", "All of them with their scopes, as JSON"]],
  input: {},
  answer: Schema.Array(ListedResource),
  run: () => Effect.flatMap(Resources, ({ list }) => Effect.map(list, (all) => all.map(listed))),
  lines: (resources) =>
    resources.map(({ baseScopes, identifier, name, scopes }) =>
      [identifier, String(scopes.length), baseScopes.join(" "), name].join("\t")
    )
})

const create = command({
  name: "create",
  description: "Register an API or an MCP server that gets access tokens of its own (RFC 8707)",
  examples: [[
    "resources create --identifier https://mcp.example.com/mcp --name Agents --scope SCOPE_A --scope SCOPE_B --base SCOPE_A",
    "An MCP server whose clients begin with one scope of two"
  ]],
  input: {
    identifier: text("identifier", "The https address at which it is reached; it cannot be changed later"),
    name: text("name", "Its name, which users read"),
    scopes: scope,
    baseScopes: base
  },
  answer: ListedResource,
  run: Effect.fnUntraced(function*(input) {
    return listed(yield* (yield* Resources).create(operator, input))
  }),
  lines: ({ identifier, metadataUrl }) => [`Registered ${identifier}. Its metadata: ${metadataUrl}`]
})

const edit = command({
  name: "edit",
  description: "Change the name of a resource, its scopes, or its base set. What users gave before stays as it is",
  examples: [
    ["resources edit https://mcp.example.com/mcp --name 'Agents and tools'", "Another name, and nothing else"],
    [
      "resources edit https://mcp.example.com/mcp --scope SCOPE_A --base SCOPE_A",
      "These scopes in the place of those that it has"
    ]
  ],
  input: {
    resource,
    name: optionalText("name", "Its name, which users read"),
    scopes: scopes("scope", "A scope that apps may ask for, in the place of all that it has; once for each"),
    baseScopes: scopes("base", "One of them with which clients begin, in the place of all; once for each")
  },
  answer: ListedResource,
  run: Effect.fnUntraced(function*({ baseScopes, name, resource, scopes }) {
    const { id } = yield* getResource(resource)
    const edited = yield* (yield* Resources).edit(operator, id, {
      ...Option.isSome(name) && { name: name.value },
      ...scopes.length > 0 && { scopes },
      ...baseScopes.length > 0 && { baseScopes }
    })
    return listed(edited)
  }),
  lines: ({ identifier }) => [`Changed ${identifier}.`]
})

const remove = command({
  name: "remove",
  description: "Remove a resource: what users gave for it ends at once, and so do its tokens and credentials",
  examples: [["resources remove https://mcp.example.com/mcp --yes", "Remove it without a question"]],
  input: { resource, yes },
  answer: Schema.Struct({ removed: Schema.String, grants: Schema.Int }),
  run: Effect.fnUntraced(function*({ resource, yes }) {
    const resources = yield* Resources
    const found = yield* getResource(resource)
    yield* confirm(`Remove ${found.identifier} with ${usageInWords(yield* resources.usage(found))}?`, yes)
    const { grants } = yield* Progress.during(`Removing ${found.identifier}`)(resources.remove(operator, found.id))
    return { removed: found.identifier, grants }
  }),
  lines: ({ grants, removed }) => [`Removed ${removed}; ${grants} grants have ended.`]
})

/** `slotkey resources …` */
export const resources = Command.make("resources").pipe(
  Command.withDescription("What has access tokens of its own beside the API: other APIs, and MCP servers"),
  Command.withSubcommands([list, create, edit, remove])
)
