/** The command line that posts a form. */
export const curlForm = (url: string, fields: ReadonlyArray<readonly [name: string, value: string]>): string =>
  [`curl ${quoted(url)}`, ...fields.map(([name, value]) => `  --data-urlencode ${quoted(`${name}=${value}`)}`)].join(
    " \\\n"
  )

// An address may hold what a shell would take for its own.
const quoted = (text: string): string => /^[\w=.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
