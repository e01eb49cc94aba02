import { Console, Context, Effect, Layer, Schema } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Tracing from "../../foundation/tracing/Tracing.ts"

/** Flag `--json` of every command. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print the answer as JSON, and an error as JSON on standard error"),
    Flag.withDefault(false)
  )
})

/** Schema of what a command prints with `--json`; docs/operations/cli.md shows all of them. */
export class Answer extends Context.Service<Answer, {
  readonly schema: Encodable
  /** A document of its own in each line, as they come. */
  readonly isStream: boolean
}>()("slotkey/doors/cli/OperatorCommand/Answer") {}

export interface About<Name extends string> {
  readonly name: Name
  readonly description: string
  /** Command lines without the leading `slotkey`, each with what it does. */
  readonly examples: ReadonlyArray<readonly [command: string, description: string]>
}

type Encodable = Schema.Codec<unknown, unknown>

type Config = Command.Command.Config

export interface Options<Name extends string, Input extends Config, S extends Encodable, E, R, F> extends About<Name> {
  readonly input: Input
  readonly answer: S
  readonly run: (input: Command.Command.Config.Infer<Input>) => Effect.Effect<S["Type"], E, R>
  readonly lines: (answer: S["Type"]) => ReadonlyArray<string>
  /** Failure of the command after its answer was printed, when the answer is bad news. */
  readonly verdict?: (answer: S["Type"]) => F | undefined
}

/** Makes the commands of a group, each of which builds these services for itself. */
export const over =
  <A, EServices, RServices>(services: Layer.Layer<A, EServices, RServices>) =>
  <const Name extends string, const Input extends Config, S extends Encodable, E, R, F = never>(
    options: Options<Name, Input, S, E, R, F>
  ) => make(options).pipe(Command.provide(services))

/** A command with one answer: its lines for people, or with `--json` the answer by its schema. */
export const make = <const Name extends string, const Input extends Config, S extends Encodable, E, R, F = never>(
  options: Options<Name, Input, S, E, R, F>
) => {
  const { answer: schema, input, lines, name, run, verdict } = options
  return describe(
    Command.make(name, input, (values) =>
      Effect.gen(function*() {
        const answer = yield* Effect.scoped(run(values))
        yield* print(schema, answer, lines)
        const failure = verdict?.(answer)
        if (failure !== undefined) return yield* Effect.fail(failure)
      }).pipe(inSpan(options))),
    options,
    { schema, isStream: false }
  )
}

/** A command that prints items as they come, one in a line: `run` gets the function that prints one. */
export const makeStream = <const Name extends string, const Input extends Config, S extends Encodable, E, R>(
  options: About<Name> & {
    readonly input: Input
    readonly item: S
    /** Line for people; without it, items are JSON in any case. */
    readonly line?: (item: S["Type"]) => string
    readonly run: (
      input: Command.Command.Config.Infer<Input>,
      print: (item: S["Type"]) => Effect.Effect<void>
    ) => Effect.Effect<void, E, R>
  }
) => {
  const { input, item: schema, line, name, run } = options
  return describe(
    Command.make(name, input, (values) =>
      Effect.flatMap(Json, (isJson) =>
        Effect.scoped(
          run(values, (item) => line === undefined || isJson ? printJson(schema, item) : Console.log(line(item)))
        )).pipe(inSpan(options))),
    options,
    { schema, isStream: true }
  )
}

/** Span that a command's trace begins with. Examples begin with the whole name of their command. */
const inSpan = ({ examples: [example], name }: About<string>) => {
  const group = example?.[0].split(name, 1).join("") ?? ""
  return Effect.withSpan(`slotkey ${group}${name}`, { root: true })
}

/** Traces of commands; wrong settings are reported by what the command needs of them. */
const CommandTraces = Tracing.layer("slotkey-cli").pipe(
  Layer.provide(AppConfig.layer),
  Layer.catch(() => Layer.empty)
)

const print = Effect.fnUntraced(function*<S extends Encodable>(
  schema: S,
  answer: S["Type"],
  lines: (answer: S["Type"]) => ReadonlyArray<string>
) {
  if (!(yield* Json)) return yield* Effect.forEach(lines(answer), (line) => Console.log(line), { discard: true })
  yield* printJson(schema, answer)
})

const printJson = <S extends Encodable>(schema: S, value: S["Type"]) =>
  Effect.flatMap(
    Effect.orDie(Schema.encodeEffect(Schema.toCodecJson(schema))(value)),
    (document) => Console.log(JSON.stringify(document))
  )

const describe = <const Name extends string, Input, E, R, ContextInput>(
  command: Command.Command<Name, Input, ContextInput, E, R>,
  { description, examples }: About<Name>,
  answer: Answer["Service"]
) =>
  command.pipe(
    Command.withDescription(description),
    Command.withExamples(
      examples.map(([line, about]) => ({ command: `slotkey ${line}`, description: about }))
    ),
    Command.annotate(Answer, answer),
    Command.provide(CommandTraces)
  )
