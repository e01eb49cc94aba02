// Prints what a report of vitest says: first a line with the numbers of passed, failed and skipped tests, then a line
// for each failure. A file that failed outside its tests counts as one.
import { readFileSync } from "node:fs"

const { numFailedTests, numPassedTests, numPendingTests, testResults } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const isFailed = ({ status }) => status === "failed"

// The input of a property comes first and may be long; what went wrong and how to repeat it (`Replay`) stand after it.
// The lines of a stack that lie outside the project tell nothing.
const inBrief = (text) => {
  const line = text.split("\n").filter((line) => !/^\s*at .*(node_modules|node:)/.test(line)).join(" ").replaceAll(/\s+/g, " ")
  return line.length <= 4000 ? line : `${line.slice(0, 2000)} … ${line.slice(-2000)}`
}

const failures = testResults.flatMap(({ assertionResults, message, name, status }) => {
  const file = name.split("/test/").at(-1)
  const failed = assertionResults.filter(isFailed)
  if (failed.length === 0) return status === "failed" ? [`${file}: ${inBrief(message)}`] : []
  return failed.map(({ failureMessages, fullName }) => `${file}: ${fullName}: ${inBrief(failureMessages.join(" "))}`)
})
const broken = testResults.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed)).length

console.log(numPassedTests, numFailedTests + broken, numPendingTests)
failures.forEach((failure) => console.log(failure))
