/** Content of a mail, which follows the greeting. */
export interface MailText {
  readonly subject: string
  readonly lines: ReadonlyArray<string>
}
