/** Purposes of apps whose owner wrote none. */
export const unwritten = {
  imported: "Taken over from the server before.",
  document: "Nobody here registered it: it describes itself.",
  demo: "Shows a developer how an app gets access.",
  dynamic: "Registered by itself, and said nothing of its purpose."
}

export const isUnwritten = (purpose: string): boolean => Object.values(unwritten).includes(purpose)
