/** Two halves of a Basic credential (RFC 7617 §2), as they were sent. */
export interface Credentials {
  readonly userId: string
  readonly password: string
}

/** Credentials of an `Authorization` header; `undefined` for another scheme and for what is not well-formed UTF-8. */
export const parse = (authorization: string | undefined): Credentials | undefined => {
  // Some clients use the URL-safe alphabet.
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization ?? "")?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, "base64")
  const text = bytes.toString("utf8")
  // A replacement character stands for broken UTF-8, unless it was sent as one.
  if (text.includes("\ufffd") && !Buffer.from(text).equals(bytes)) return undefined
  const colon = text.indexOf(":")
  return colon < 0 ? undefined : { userId: text.slice(0, colon), password: text.slice(colon + 1) }
}
