/** Path of the metadata of an identifier: inserted between its host and its path (RFC 8414 §3.1, RFC 9728 §3.1). */
export const wellKnownPath = (suffix: string, identifier: string): `/${string}` => {
  const { pathname } = new URL(identifier)
  return `/.well-known/${suffix}${pathname === "/" ? "" : pathname}`
}

/** Same where OpenID Connect has it: after the path of the identifier (OpenID Connect Discovery §4). */
export const appendedPath = (suffix: string, identifier: string): `/${string}` => {
  const { pathname } = new URL(identifier)
  return `/${pathname.replace(/[/]*$/, "/").slice(1)}.well-known/${suffix}`
}
