/** A number with its noun: "1 user", "3 users". A plural that takes more than an "s" is given. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
