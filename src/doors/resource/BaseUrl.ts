/** The address as the setting `BASE_URL` of the server has it, which ends with no slash: tokens name it letter by letter. */
export const withoutSlash = (baseUrl: string): string => baseUrl.replace(/\/$/, "")
