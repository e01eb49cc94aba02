import { parseArgs, type ParseArgsOptionsConfig } from "node:util"
import { messageOf } from "../../src/domain/Cause.ts"

/** A program of developers, as its usage shows it. */
interface Program<Options extends ParseArgsOptionsConfig> {
  readonly command: string
  /** One of these words may stand beside the flags. */
  readonly words?: ReadonlyArray<string>
  readonly options: Options
  /** Page that says what each flag does. */
  readonly page: string
}

/** Reads the command line; ends the process with the usage when that is asked for, and where something does not fit. */
export const read = <const Options extends ParseArgsOptionsConfig>(
  { command, options, page, words = [] }: Program<Options>
) => {
  const args = process.argv.slice(2)
  const usage = [
    `Usage: ${command}`,
    ...words.length === 0 ? [] : [`  [${words.join(" | ")}]`],
    ...Object.entries(options).map(line),
    `What they do is in ${page}.\n`
  ].join("\n")
  const refuse = (sentence: string) => {
    process.stderr.write(`${sentence}\n${usage}`)
    return process.exit(2)
  }
  if (args.includes("--help")) {
    process.stdout.write(usage)
    process.exit()
  }
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true })
    const unknown = parsed.positionals.find((word) => !words.includes(word))
    return unknown === undefined ? parsed : refuse(`Unknown word '${unknown}'`)
  } catch (error) {
    // The rest of the library's text is about words that begin with a hyphen.
    return refuse(messageOf(error).replace(/\. To specify .*$/, ""))
  }
}

const line = ([name, { type }]: [string, ParseArgsOptionsConfig[string]]) =>
  `  [--${name}${type === "boolean" ? "" : ` ${name.toUpperCase()}`}]`

/** Reads the number that a flag of a command line was given; ends the process with a sentence where it is none. */
export const positive = (flag: string, text: string): number => {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  process.stderr.write(`--${flag} takes a number above 0, not "${text}"\n`)
  process.exit(2)
}
