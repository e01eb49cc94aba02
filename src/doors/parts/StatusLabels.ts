import type { ManagedClient } from "../../core/clients/records/Client.ts"

/** State of an app at a glance: its status, and the change that waits or was rejected, each as what it looks like. */
export const statusLabels = ({ change, isWaiting, status }: ManagedClient) => [
  { text: status, like: status },
  ...(change === null ? [] : [isWaiting ? changeInReview : changeRefused])
]

const changeInReview = { text: "change in review", like: "pending" } as const
const changeRefused = { text: "change refused", like: "rejected" } as const
