export const appPath = (id: string): string => `/settings/apps/${encodeURIComponent(id)}`
/** Page of the test app of an app, for its owner. */
export const testPath = (id: string): string => `${appPath(id)}/test`
/** Pages of an app for its owner, the first at the address of the app itself. */
export const appTabs = ["overview", "credentials", "scopes", "activity", "settings"] as const
export type AppTab = (typeof appTabs)[number]
export const appTabPath = (id: string, tab: AppTab): string =>
  tab === "overview" ? appPath(id) : `${appPath(id)}/${tab}`
/** Page on which the owner moves a legacy app to scopes. */
export const migrationPath = (id: string): string => `${appPath(id)}/migration`
export const rehearsalPath = (id: string): string => `${migrationPath(id)}/rehearsal`
/** Page of the events that an app hears of. */
export const eventsPath = (id: string): string => `${appPath(id)}/events`
/** Where the owner of an app drops the scopes that nobody uses. */
export const unusedScopesPath = (id: string): string => `${appPath(id)}/activity/unused-scopes`
/** Page of the people who have a part in an app. */
export const ownersPath = (id: string): string => `${appPath(id)}/owners`
/** Page of an app with the users who lack a scope. */
export const lackingPath = (id: string): string => `${appPath(id)}/lacking`
/** Page of one connected app, for its user. */
export const connectionPath = (id: string): string => `/connections/apps/${encodeURIComponent(id)}`
/** Page that tells users of an app what it may ask them for, and leads to it. */
export const wishesPath = (id: string): string => `${connectionPath(id)}/more`
export const reviewPath = (id: string): string => `/review/${encodeURIComponent(id)}`
