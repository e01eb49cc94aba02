/**
 * Makes something when it is first asked for, and keeps it. A failure is not kept: the next one who asks tries again, because
 * what failed may only have lacked memory or file descriptors.
 */
export const once = <A>(make: () => Promise<A>): () => Promise<A> => {
  let made: Promise<A> | undefined
  return () =>
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
}
