import { Duration, Effect, Option, Schema } from "effect"
import type { Settings } from "./AppConfig.ts"
import { fileSettingOf, given, secretFiles } from "./SecretFiles.ts"
import { settings } from "./Settings.ts"

/** A setting as a process with this environment has it, for operators. */
export const EffectiveSetting = Schema.Struct({
  name: Schema.String,
  /** Of a secret no more than the host in it. */
  value: Schema.String,
  from: Schema.Literals(["default", "environment", "file"])
})
type EffectiveSetting = typeof EffectiveSetting.Type

/** All settings; `config` has the defaults that follow from others, unless some setting is wrong. */
export const effectiveSettings = Effect.fnUntraced(function*(
  config: Option.Option<Settings>
): Effect.fn.Return<ReadonlyArray<EffectiveSetting>> {
  const { contents } = yield* secretFiles
  const derived = Option.getOrUndefined(Option.map(config, derivedFrom))
  return yield* Effect.forEach(
    settings,
    ({ default: otherwise, name, shown = shownPlain }) =>
      Effect.map(Effect.all([given(name), given(fileSettingOf(name))]), ([value, file]): EffectiveSetting => {
        if (Option.isSome(value)) return { name, value: shown(value.value), from: "environment" }
        if (Option.isSome(file)) return { name, value: shown(contents[name] ?? ""), from: "file" }
        return { name, value: derived?.[name] ?? otherwise, from: "default" }
      })
  )
})

/** Defaults that are another setting's value, or depend on one, by name. */
const derivedFrom = (config: Settings): Readonly<Record<string, string>> => ({
  BASE_URL: config.baseUrl,
  AUTH_URL: config.authUrl,
  ISSUER: config.issuer,
  OPERATOR_PORT: String(config.operatorPort),
  DRAIN_DELAY: `${Duration.toSeconds(config.drainDelay)} seconds`
})

/** A value that is no secret, but may be an address with one: in its query, or by mistake in front of the host. */
const shownPlain = (value: string): string => {
  if (!URL.canParse(value)) return value
  const { host, password, pathname, protocol, search, username } = new URL(value)
  return password === "" && username === "" && search === ""
    ? value
    : `${protocol}//${host}${pathname}${search === "" ? "" : "?(hidden)"}`
}
