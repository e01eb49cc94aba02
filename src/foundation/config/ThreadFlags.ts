/**
 * Options of a thread of this process by which it inherits the flags. One of them, for a program that comes as text,
 * refuses a file; and to inherit the others by name is refused, too, because some of them are for the whole process.
 */
export const threadFlags: { readonly execArgv?: Array<string> } =
  process.execArgv.some((flag) => flag.startsWith("--input-type")) ? { execArgv: [] } : {}
