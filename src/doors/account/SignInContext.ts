import { Context, Effect, type Option } from "effect"

/**
 * Finds the name of the app that a path leads to after the sign-in, so that the sign-in page can say what one signs in
 * for. The consent door fills it in.
 */
export const SignInContext = Context.Reference<(path: string) => Effect.Effect<Option.Option<string>>>(
  "slotkey/doors/account/SignInContext",
  { defaultValue: () => () => Effect.succeedNone }
)
