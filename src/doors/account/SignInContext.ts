import { Context, Effect, type Option } from "effect"

/** The name of the app that sends people to a path of ours, if one does: the sign-in page says what one signs in for. */
export const SignInContext = Context.Reference<(path: string) => Effect.Effect<Option.Option<string>>>(
  "slotkey/doors/account/SignInContext",
  { defaultValue: () => () => Effect.succeedNone }
)
