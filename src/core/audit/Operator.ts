/** Actor of what an operator did on the command line; the id of an account is never this. */
export const operator = "cli"
export type Operator = typeof operator

/** Actor of what an operator did on the dashboard of a worker process, which all operators open with one password. */
export const dashboard = "dashboard"
