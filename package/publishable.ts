import manifest from "../package.json" with { type: "json" }

// Stops `npm publish` (`prepublishOnly`) while nobody has said where the repository is: the README of the package leads
// there.

if (new URL(manifest.homepage).hostname.endsWith("example.com")) {
  process.stderr.write(
    "package.json: homepage must be the address of the repository before the package is published.\n"
  )
  process.exitCode = 1
}
