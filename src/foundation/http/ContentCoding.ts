import { parseAccept } from "hono/utils/accept"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** A coding of content that this server makes (RFC 9110 §8.4.1). */
export type ContentCoding = "br" | "gzip"

/** Coding that an `Accept-Encoding` prefers, the smaller one first; `undefined` for none (RFC 9110 §12.5.3). */
export const preferredCoding = (acceptEncoding: string | undefined): ContentCoding | undefined => {
  const weights = new Map(parseAccept(acceptEncoding ?? "").map(({ q, type }) => [type.toLowerCase(), q]))
  const weight = (coding: ContentCoding) => weights.get(coding) ?? weights.get("*") ?? 0
  const best = weight("gzip") > weight("br") ? "gzip" : "br"
  return weight(best) > 0 && weight(best) >= (weights.get("identity") ?? 0) ? best : undefined
}

/** Encodes content, outside of the thread that answers requests. */
export const encode = (coding: ContentCoding, content: Uint8Array): Promise<Uint8Array> => encoders[coding](content)

const brotli = promisify(brotliCompress)

// Beyond that quality, pages get 3% smaller and take ten times as long.
const quality = 6

const encoders = {
  br: (content: Uint8Array) => brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: promisify<Uint8Array, Uint8Array>(gzip)
}
