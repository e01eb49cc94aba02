import type { Settings } from "../../../foundation/config/AppConfig.ts"

export const playgroundCallbackPath = "/playground/callback"

/** Redirect URI of the playground, which demo apps and test apps have. */
export const playgroundCallback = ({ authUrl }: Pick<Settings, "authUrl">): string =>
  `${authUrl}${playgroundCallbackPath}`
