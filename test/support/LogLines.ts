import { Context, Layer, Logger, References, Struct } from "effect"
import { formatLine } from "../../src/foundation/log/Logging.ts"

type Line = Readonly<Record<string, unknown>>

/** Lines that a server logs at its most talkative, as programs read them. */
export class LogLines extends Context.Service<LogLines, {
  readonly all: ReadonlyArray<Line>
  /** Lines of one event, without time and level. */
  of(event: string): ReadonlyArray<Line>
}>()("slotkey/test/support/LogLines") {
  /** Keeps the lines of everything that is built on this layer. */
  static readonly layer: Layer.Layer<LogLines> = Layer.suspend(() => {
    const all: Array<Line> = []
    return Layer.mergeAll(
      Layer.succeed(LogLines, {
        all,
        of: (event) => all.filter((line) => line["event"] === event).map(Struct.omit(["level", "timestamp"]))
      }),
      Logger.layer([Logger.map(formatLine, (line) => all.push(line))]),
      Layer.succeed(References.MinimumLogLevel, "Trace")
    )
  })
}
