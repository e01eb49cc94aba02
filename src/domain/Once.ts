/**
 * Makes something when it is first asked for, and keeps it. A failure is not kept: the next one who asks tries again.
 * Node loads a module then that could not be read for lack of file descriptors; one that threw while it was evaluated
 * stays as it is.
 */
export const once = <A>(make: () => Promise<A>): () => Promise<A> => {
  let made: Promise<A> | undefined
  return () =>
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
}
