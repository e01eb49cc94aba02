/**
 * `form-action` sources that let a form on our page lead to the app's redirect URI. Chromium applies `form-action` to
 * every redirect that follows a form, and blocks silently. The app's callback may redirect in turn to any https page,
 * so `https:` is among them. CSP has no sources for IPv6 addresses, so the scheme stands for one.
 */
export const formTargets = (redirectUri: string): ReadonlyArray<string> => {
  const { hostname, origin, protocol } = new URL(redirectUri)
  if (protocol !== "https:" && protocol !== "http:") return [protocol]
  return [hostname.startsWith("[") ? protocol : origin, "https:"]
}
