/** What the app must know of the server, and of itself. */
export interface Settings {
  /** Address of Slotkey's API. */
  readonly server: string
  readonly clientId: string
  readonly clientSecret: string
  /** Secret that encrypts the cookies of the app's own sessions. */
  readonly sessionSecret: string
  /** Makes the requests to Slotkey. */
  readonly fetch: typeof globalThis.fetch
}

const required = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

export const fromEnvironment = (): Settings => ({
  server: required("SLOTKEY_URL"),
  clientId: required("CLIENT_ID"),
  clientSecret: required("CLIENT_SECRET"),
  sessionSecret: required("AUTH_SECRET"),
  fetch: globalThis.fetch
})
