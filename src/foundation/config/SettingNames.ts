import { Array, ConfigProvider, Effect, Option, Order } from "effect"
import { fileSettingOf, secrets } from "./SecretFiles.ts"
import { settings } from "./Settings.ts"

/** All names of settings, those of the files of secrets among them. */
export const names = [...settings.map(({ name }) => name), ...secrets.map(fileSettingOf)]

/** A variable of the environment that is no setting, and the setting that was probably meant. */
interface UnknownName {
  readonly name: string
  readonly meant: string
}

/** Variables that look like a misspelled setting: they have no effect, and nobody would notice. */
export const misspelled: Effect.Effect<ReadonlyArray<UnknownName>> = Effect.gen(function*() {
  const given = yield* namesUnder(yield* ConfigProvider.ConfigProvider, [])
  const unknown = given.filter((name) => !names.includes(name))
  return unknown.flatMap((name) => Option.toArray(Option.map(nearest(name), (meant) => ({ name, meant })))).sort(byName)
})

/** Says so of each of them in the log. It is no more than a warning: other programs have variables, too. */
export const warnOfMisspelled: Effect.Effect<void> = Effect.flatMap(
  misspelled,
  Effect.forEach((one) => Effect.logWarning(sentenceOf(one)), { discard: true })
)

/** Warning about such a variable. */
export const sentenceOf = ({ meant, name }: UnknownName): string =>
  `${name} is no setting and has no effect. Call it ${meant} if that is meant.`

const byName = Order.mapInput(Order.String, ({ name }: UnknownName) => name)

/** All names of a provider. The environment's provider is asked word by word: `CODE`, then `LIFETIME`. */
const namesUnder = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function*() {
    const node = yield* Effect.orElseSucceed(provider.load(path), () => undefined)
    if (node === undefined) return []
    const own = node.value === undefined || path.length === 0 ? [] : [path.join("_")]
    if (node._tag !== "Record") return own
    const below = yield* Effect.forEach([...node.keys], (key) => namesUnder(provider, [...path, key]))
    return [...own, ...below.flat()]
  })

const nearest = (name: string): Option.Option<string> => {
  const word = name.toUpperCase().replaceAll("-", "_").replace(/^SLOTKEY_/, "")
  const near = names.map((name) => ({ name, mistakes: distance(word, name, tolerated(name)) })).filter((
    { mistakes, name }
  ) => mistakes <= tolerated(name))
  return Option.map(Array.head(near.toSorted((a, b) => a.mistakes - b.mistakes)), ({ name }) => name)
}

// A short name such as HOST is one letter away from many that mean something else.
const tolerated = (name: string): number => name.length < 8 ? 1 : name.length < 12 ? 2 : 3

/**
 * Letters that are missing, too many, wrong, or exchanged with their neighbour (optimal string alignment distance).
 * More than `most` are not counted to the end: every start of a process compares its whole environment.
 */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Infinity
  let [before, last] = [[] as ReadonlyArray<number>, Array.makeBy(b.length + 1, (j) => j) as ReadonlyArray<number>]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
      ))
    }
    if (Math.min(...last, ...row) > most) return Infinity
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}
