import type { ManagedClient } from "../../core/clients/records/Client.ts"

/** State of an app at a glance: its status, and the change that waits or was rejected, each as what it looks like. */
export const statusLabels = ({ change, isWaiting, status }: ManagedClient) => [
  { state: status, like: status },
  ...(change === null ? [] : [isWaiting ? changeInReview : changeRejected])
]

const changeInReview = { state: "change_in_review", like: "pending" } as const
const changeRejected = { state: "change_rejected", like: "rejected" } as const
