import { MIMEType } from "node:util"

/** Value of a `Content-Type` (RFC 9110 §8.3.1), in lower case. */
interface MediaType {
  /** Type and subtype, without parameters: `application/json`. */
  readonly essence: string
  readonly charset: string | undefined
}

/** Reads a `Content-Type`; `undefined` when there is none, or none that is well-formed. */
export const parse = (contentType: string | undefined): MediaType | undefined => {
  if (contentType === undefined) return undefined
  if (bare.test(contentType)) return { essence: contentType, charset: undefined }
  try {
    const { essence, params } = new MIMEType(contentType)
    return { essence, charset: params.get("charset")?.toLowerCase() }
  } catch {
    return undefined
  }
}

// Most senders write the type alone and in lower case, which needs no parser.
const bare = /^[a-z]+\/[a-z-]+$/
