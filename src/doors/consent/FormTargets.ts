/**
 * The sources of a `form-action` under which Chromium lets the answer to a form through to the app: it holds every
 * redirect after a form to them, and blocks silently. So the app's own redirects must pass, too, and they may lead
 * from its callback to any https page. An IPv6 address is no source of CSP, so its scheme stands for it.
 */
export const formTargets = (redirectUri: string): ReadonlyArray<string> => {
  const { hostname, origin, protocol } = new URL(redirectUri)
  if (protocol !== "https:" && protocol !== "http:") return [protocol]
  return [hostname.startsWith("[") ? protocol : origin, "https:"]
}
