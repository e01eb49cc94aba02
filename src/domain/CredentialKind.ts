/** Prefixes that tell the kinds of credentials apart. Separate from `Credential.ts`, which needs Node. */
export const prefixes = {
  clientSecret: "slk_secret_",
  code: "slk_code_",
  refreshToken: "slk_refresh_",
  apiKey: "slk_key_",
  session: "slk_session_",
  setup: "slk_setup_",
  link: "slk_link_",
  resourceServer: "slk_rs_",
  initialToken: "slk_initial_",
  registrationToken: "slk_registration_"
} as const
export type Kind = keyof typeof prefixes
