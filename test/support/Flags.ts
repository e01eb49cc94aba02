/** Reads the number that a flag of a command line was given; ends the process with a sentence where it is none. */
export const positive = (flag: string, text: string): number => {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  process.stderr.write(`--${flag} takes a number above 0, not "${text}"\n`)
  process.exit(2)
}
