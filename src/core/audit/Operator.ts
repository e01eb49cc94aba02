/** The actor of what an operator did on the command line; the id of an account is never this. */
export const operator = "cli"
export type Operator = typeof operator
