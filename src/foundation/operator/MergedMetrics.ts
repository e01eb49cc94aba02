/** Metrics of several processes, in the text format of Prometheus, by the names that the processes have. */
type TextsByProcess = ReadonlyMap<string, string>

/**
 * Makes one exposition of several: each series gets the label `process`. They are not added up here. A counter of a
 * process that was started again starts at zero, which `rate` sees in its own series and would take for new events in a
 * sum; and what one process holds or how late it is means nothing in a sum.
 */
export const merge = (texts: TextsByProcess): string => {
  const families = new Map<string, Family>()
  for (const [process, text] of texts) {
    let family: Family | undefined
    for (const line of text.split("\n")) {
      const [, name] = /^# (?:HELP|TYPE) (\S+) /.exec(line) ?? []
      if (name !== undefined) {
        family = families.get(name) ?? { by: process, head: [], series: [] }
        families.set(name, family)
        if (family.by === process) family.head.push(line)
      } else if (line !== "") family?.series.push(labelled(line, process))
    }
  }
  return [...families.values()].flatMap(({ head, series }) => [...head, ...series, ""]).join("\n")
}

/** A metric with its description and its series, which have to stand together. */
interface Family {
  /** Process that described it first. */
  readonly by: string
  readonly head: Array<string>
  readonly series: Array<string>
}

/** Adds the label to a series, which has labels of its own or none. */
const labelled = (line: string, process: string): string => {
  const end = line.search(/[{ ]/)
  const name = line.slice(0, end)
  return line[end] === "{"
    ? `${name}{process="${process}",${line.slice(end + 1)}`
    : `${name}{process="${process}"}${line.slice(end)}`
}
