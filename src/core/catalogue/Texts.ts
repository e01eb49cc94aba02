import type { CatalogueFile } from "../../domain/catalogue/file/CatalogueFile.ts"

/** Places of two catalogues whose words for people differ, as far as both have them. */
export const changedTexts = (before: CatalogueFile, after: CatalogueFile): ReadonlyArray<string> => {
  const old = wordsOf(before)
  return [...wordsOf(after)].flatMap(([place, words]) => {
    const was = old.get(place)
    return was === undefined || was === words ? [] : [place]
  })
}

const wordsOf = ({ api, areas = [], levels, scopes }: CatalogueFile): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(api).map(([key, words]) => [`api.${key}`, JSON.stringify(words)] as const),
    ...levels.map(({ id, reach, title }) => [`level ${id}`, JSON.stringify([title, reach])] as const),
    ...areas.map(({ id, title }) => [`area ${id}`, JSON.stringify(title)] as const),
    ...scopes.map((
      { admits = false, area, covers, forwards = false, name, removes = false, sensitive = false, title }
    ) => [name, JSON.stringify([title, covers, area, removes, admits, forwards, sensitive])] as const)
  ])
