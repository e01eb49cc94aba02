/**
 * Page that a program asked for. Lists show people the last page in place of one that is not there; a program that
 * counts up until a page is empty would never end.
 */
export const orEmpty = <Page extends { readonly page: number }>(
  asked: number | undefined,
  found: Page,
  empty: Partial<Page>
): Page => asked === undefined || asked === found.page ? found : { ...found, ...empty, page: asked }
