import { Account } from "../../core/accounts/people/Account.ts"
import type { Visitor } from "../session/PageSession.ts"

/** Somebody who looks at a page of users, in the place of one. The server would refuse the forms of such a page. */
export const asUser = ({ account, viewer, ...visitor }: Visitor): Visitor => ({
  ...visitor,
  account: new Account({ ...account, role: "user" }),
  notice: undefined,
  viewer: { ...viewer, csrf: "", isAdmin: false, managesUsers: false, mayReview: false, restored: undefined }
})
