import { ConfigProvider, Effect, Order } from "effect"
import { nearest } from "../../domain/Nearest.ts"
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
  return unknown.flatMap((name) => {
    const meant = nearest(name.replaceAll("-", "_").replace(/^SLOTKEY_/i, ""), names)
    return meant === undefined ? [] : [{ name, meant }]
  }).sort(byName)
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
