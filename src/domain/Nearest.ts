/** Name that was probably meant by a word that is none, whatever its case; `undefined` when none is near. */
export const nearest = (word: string, names: Iterable<string>): string | undefined => {
  const given = word.toLowerCase()
  let [found, fewest]: [string | undefined, number] = [undefined, Infinity]
  for (const name of names) {
    const most = Math.min(tolerated(name), fewest - 1)
    const mistakes = distance(given, name.toLowerCase(), most)
    if (mistakes <= most) [found, fewest] = [name, mistakes]
  }
  return found
}

// A short name such as HOST is one letter away from many that mean something else.
const tolerated = (name: string): number => name.length < 8 ? 1 : name.length < 12 ? 2 : 3

/**
 * Letters that are missing, too many, wrong, or exchanged with their neighbour (optimal string alignment distance).
 * More than `most` are not counted to the end: every start of a process compares its whole environment.
 */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Infinity
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
      ))
    }
    if (Math.min(...last, ...row) > most) return Infinity
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}
