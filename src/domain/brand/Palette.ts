import type { ColorName, Colors } from "./BrandFile.ts"
import { contrast, isLighter, mix, readableOn } from "./Contrast.ts"

/** How a browser shows pages, by the wish of its user. */
export type Scheme = "light" | "dark"

/** Colours of a brand's pages in a scheme, with what follows from those that it names. */
export interface Palette extends Readonly<Record<ColorName, string>> {
  /** Surface of a button beneath the pointer, on which the words are no harder to read. */
  readonly accentHover: string
  readonly linkHover: string
  /** Words that matter less; still readable. */
  readonly muted: string
  /** Surface of boxes, codes and fields. */
  readonly tint: string
  /** Messages to the reader: red, amber and green in every brand, as dark or light as its pages need them. */
  readonly error: string
  readonly warning: string
  readonly success: string
  readonly line: string
  readonly underline: string
}

export const paletteOf = (scheme: Scheme, colors: Colors): Palette => {
  const { accent, background, onAccent, text } = { ...usual[scheme], ...colors }
  const link = colors.link ?? colors.accent ?? usual[scheme].link
  const tint = mix(background, text, 0.05)
  const grounds = [background, tint]
  const readable = (color: string): string => readableOn(color, grounds, leastContrast) ?? text
  const muted = mutedShares.map((share) => mix(text, background, share))
    .find((color) => grounds.every((ground) => contrast(color, ground) >= leastContrast))
  return {
    accent,
    onAccent,
    link,
    background,
    text,
    tint,
    error: readable(signals[scheme].error),
    warning: readable(signals[scheme].warning),
    success: readable(signals[scheme].success),
    muted: muted ?? text,
    line: mix(background, text, 0.16),
    underline: mix(link, background, 0.5),
    linkHover: mix(link, text, 0.4),
    accentHover: mix(accent, isLighter(onAccent, accent) ? "#000000" : "#ffffff", 0.15)
  }
}

const mutedShares = [0.3, 0.25, 0.2, 0.15, 0.1, 0.05]

/** Colours where a brand names none; the stylesheet of the pages has the same (`slotkey.css`). */
const usual: Readonly<Record<Scheme, Readonly<Record<ColorName, string>>>> = {
  light: { accent: "#0172ad", onAccent: "#ffffff", link: "#0172ad", background: "#ffffff", text: "#373c44" },
  dark: { accent: "#0172ad", onAccent: "#ffffff", link: "#01aaff", background: "#13171f", text: "#c2c7d0" }
}

/** Colours of messages (`slotkey.css`). */
const signals = {
  light: { error: "#b3261e", warning: "#8a5a00", success: "#1a7f37" },
  dark: { error: "#ff8a80", warning: "#f0b429", success: "#56d364" }
} as const

/** Contrast that words need at least (WCAG 2.2 §1.4.3, level AA). */
const leastContrast = 4.5

/** Pair of colours that cannot be read. */
export interface Unreadable {
  /** Name of the colour of the pair that can be changed. */
  readonly color: ColorName
  readonly problem: string
}

/** Pairs among the colours of pages that cannot be read; none for colours that nobody has named. */
export const unreadable = (scheme: Scheme, colors: Colors): ReadonlyArray<Unreadable> => {
  if (Object.keys(colors).length === 0) return []
  const palette = paletteOf(scheme, colors)
  const { accent, background, link, onAccent, text, tint } = palette
  const linkName = colors.link === undefined && colors.accent !== undefined ? "accent" : "link"
  const grounds = [
    { name: `"background" (${background})`, color: background },
    { name: `the surface of boxes (${tint}, a tint of "background" (${background}))`, color: tint }
  ]
  const pairs = [
    { color: "text" as const, name: `"text" (${text})`, value: text, grounds },
    {
      color: linkName as ColorName,
      name: `${linkName === "accent" ? "links in the colour of \"accent\"" : "\"link\""} (${link})`,
      value: link,
      grounds
    },
    {
      color: "onAccent" as const,
      name: `"onAccent" (${onAccent})`,
      value: onAccent,
      grounds: [{ name: `"accent" (${accent})`, color: accent }]
    }
  ]
  return pairs.flatMap(({ color, grounds, name, value }) => {
    const ground = grounds.find((ground) => contrast(value, ground.color) < leastContrast)
    if (ground === undefined) return []
    const problem = `${name} on ${ground.name} has a contrast of ${
      rounded(contrast(value, ground.color))
    } to 1, and words need ${leastContrast} to 1`
    const better = readableOn(value, grounds.map(({ color }) => color), leastContrast)
    const remedy = color === "accent"
      ? `Say "link": "${better}", or choose another accent.`
      : `"${better}" would do.`
    return [{ color, problem: `${problem}. ${remedy}` }]
  })
}

/** Rounded down: 4.498 is not enough, and must not look as if it was. */
const rounded = (ratio: number): number => Math.floor(ratio * 100) / 100
