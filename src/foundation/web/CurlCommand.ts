/** A command line that posts a form. */
export const curlForm = (url: string, fields: ReadonlyArray<readonly [name: string, value: string]>): string =>
  [`curl ${quoted(url)}`, ...fields.map(([name, value]) => `  --data-urlencode ${quoted(`${name}=${value}`)}`)].join(
    " \\\n"
  )

// A value may contain characters that have a meaning to the shell.
const quoted = (text: string): string => /^[\w=.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
