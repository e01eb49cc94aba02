/** The line on which each element of the outermost array starts; JSON.parse keeps no positions. */
export const elementLines = (text: string): ReadonlyArray<number> => {
  const lines: Array<number> = []
  let line = 1
  let depth = 0
  let expected = false
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[\n,[\]{}]|[^\s",[\]{}]+/g)) {
    if (token === "\n") {
      line++
      continue
    }
    if (expected && depth === 1 && token !== "]") lines.push(line)
    expected = depth === 0 && token === "[" || depth === 1 && token === ","
    if (token === "[" || token === "{") depth++
    if (token === "]" || token === "}") depth--
  }
  return lines
}
