import { createHash } from "node:crypto"

/** File that pages need, at a path that changes with its content: so browsers may keep it forever. */
export interface Asset {
  readonly path: `/${string}`
  readonly content: string | Uint8Array
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}

export const makeAsset = (name: string, { content, ...rest }: Omit<Asset, "path">): Asset => ({
  path: `/assets/${createHash("sha256").update(content).digest("hex").slice(0, 12)}-${name}`,
  content,
  ...rest
})
