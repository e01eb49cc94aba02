import { Layer, Logger } from "effect"

/** Lines that the server has logged since they were taken last. */
export class Log {
  #lines: Array<string> = []

  /** A logger that keeps what a server process would write. */
  readonly layer: Layer.Layer<never> = Logger.layer([
    Logger.map(Logger.formatJson, (line) => {
      this.#lines.push(line)
    })
  ])

  take(): ReadonlyArray<string> {
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}
