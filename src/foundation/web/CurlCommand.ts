/** A command line that posts a form. */
export const curlForm = (url: string, fields: ReadonlyArray<readonly [name: string, value: string]>): string =>
  lines(url, fields.map(dataOf))

interface CurlRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** A command line that sends a request. */
export const curlRequest = ({ form = {}, headers, json, method, url }: CurlRequest): string => {
  const data = [
    ...Object.entries(form).map(dataOf),
    ...(json === undefined ? [] : [`--json ${quoted(JSON.stringify(json))}`])
  ]
  const isUsual = method === (data.length === 0 ? "GET" : "POST")
  return lines(url, [
    ...(isUsual ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...data
  ])
}

const lines = (url: string, options: ReadonlyArray<string>): string =>
  [`curl ${quoted(url)}`, ...options].join(" \\\n  ")

const dataOf = ([name, value]: readonly [name: string, value: string]): string =>
  `--data-urlencode ${quoted(`${name}=${value}`)}`

// A value may contain characters that have a meaning to the shell.
const quoted = (text: string): string => /^[\w=.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
