// Arithmetic of colours that are written as `#rgb` or `#rrggbb`, for what a brand's colours must be readable with.

/** Contrast of two colours (WCAG 2.2, "contrast ratio"): 1 of equal ones, 21 of black and white. */
export const contrast = (one: string, other: string): number => {
  const [lower = 0, higher = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (higher + 0.05) / (lower + 0.05)
}

/** Colour between two, a share of the second from 0 to 1, as `color-mix(in srgb, …)` of CSS makes it. */
export const mix = (one: string, other: string, share: number): string => {
  const others = channels(other)
  const mixed = channels(one).map((value, at) => Math.round(value + ((others[at] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`
}

/** Tests if the first is the lighter one. */
export const isLighter = (one: string, other: string): boolean => luminance(one) > luminance(other)

/** Colour nearest to this one that is readable on these, darker or lighter; `undefined` if none is. */
export const readableOn = (color: string, grounds: ReadonlyArray<string>, least: number): string | undefined =>
  steps.flatMap((share) => ["#000000", "#ffffff"].map((end) => mix(color, end, share)))
    .find((candidate) => grounds.every((ground) => contrast(candidate, ground) >= least))

const steps = Array.from({ length: 51 }, (_, at) => at / 50)

/** Relative luminance (WCAG 2.2), from 0 to 1. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channels = (color: string): ReadonlyArray<number> => {
  const digits = color.length === 4 ? color.replaceAll(/[^#]/g, "$&$&") : color
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
}
