import { catalogue, isScope, isWrite, type Level, level, type Scope, type ScopeName, unknownOf } from "./Scope.ts"

/** A scope in plain words, for the user who decides about it. */
interface Description {
  /** App's intention: "See your bookings". */
  readonly title: string
  /** Operations that this covers, as one sentence (specification §2.3). */
  readonly covers: string
}

/** Heading of each level, which says whose data it reaches. */
const levelTitles: Readonly<Record<Level, string>> = {
  user: "You",
  team: "Your teams",
  organization: "Your organization"
}

export const describe = (scope: ScopeName): Description =>
  isScope(scope)
    ? descriptions[scope]
    : about(scope, "This version of the server does not know it, and lets nothing pass by it.")

/** Scopes of one level, reads and writes apart, in catalogue order. */
interface Group {
  readonly level: Level | "unknown"
  readonly title: string
  readonly reads: ReadonlyArray<ScopeName>
  readonly writes: ReadonlyArray<ScopeName>
}

/** Scopes as a page lists them: by level, without levels that have none. */
export const grouped = (scopes: Iterable<ScopeName>): ReadonlyArray<Group> => {
  const chosen = new Set(scopes)
  const known = levels.flatMap((of) => {
    const here = catalogue.filter((scope) => chosen.has(scope) && level(scope) === of)
    if (here.length === 0) return []
    const reads = here.filter((scope) => !isWrite(scope))
    return [{ level: of, title: levelTitles[of], reads, writes: here.filter(isWrite) }]
  })
  // The release that knows them may let an app change something by them.
  const writes = unknownOf(chosen)
  return writes.length === 0 ? known : [...known, { level: "unknown", title: "Unknown", reads: [], writes }]
}

const levels: ReadonlyArray<Level> = ["user", "team", "organization"]

const about = (title: string, covers: string): Description => ({ title, covers })

const descriptions: Readonly<Record<Scope, Description>> = {
  EVENT_TYPE_READ: about("See your event types", "Lists and opens your event types and their private links."),
  EVENT_TYPE_WRITE: about(
    "Change your event types",
    "Creates, changes and deletes your event types and manages their private links."
  ),
  BOOKING_READ: about(
    "See your bookings",
    "Lists your bookings and opens their recordings, transcripts, calendar links and references."
  ),
  BOOKING_WRITE: about(
    "Manage your bookings",
    "Adds guests, changes locations, and confirms, declines or reassigns your bookings."
  ),
  SCHEDULE_READ: about("See your availability", "Lists and opens the schedules that say when you can be booked."),
  SCHEDULE_WRITE: about(
    "Change your availability",
    "Creates, changes and deletes the schedules that say when you can be booked."
  ),
  APPS_READ: about(
    "See your connected calendars",
    "Lists your connected calendars, checks when you are busy, and tests calendar feeds and connections."
  ),
  APPS_WRITE: about(
    "Connect and disconnect your calendars",
    "Connects calendars, saves calendar feeds and Apple calendar credentials, and disconnects calendars."
  ),
  PROFILE_READ: about(
    "See your profile",
    "Reads your name, e-mail address, picture, time zone and other profile settings."
  ),
  PROFILE_WRITE: about("Change your profile", "Changes your name, picture, time zone and other profile settings."),
  WEBHOOK_READ: about("See your webhooks", "Lists and opens the addresses that are told about events in your account."),
  WEBHOOK_WRITE: about(
    "Change your webhooks",
    "Creates, changes and deletes the addresses that are told about events in your account."
  ),
  VERIFIED_RESOURCES_READ: about(
    "See your verified contacts",
    "Lists the e-mail addresses and phone numbers that you have verified."
  ),
  VERIFIED_RESOURCES_WRITE: about(
    "Verify contacts for you",
    "Requests verification codes and verifies e-mail addresses and phone numbers."
  ),

  TEAM_EVENT_TYPE_READ: about("See your teams' event types", "Lists and opens the event types of your teams."),
  TEAM_EVENT_TYPE_WRITE: about(
    "Change your teams' event types",
    "Creates, changes and deletes event types of your teams."
  ),
  TEAM_BOOKING_READ: about("See your teams' bookings", "Lists and opens the bookings of your teams."),
  TEAM_BOOKING_WRITE: about("Change your teams' bookings", "Creates, changes and deletes bookings of your teams."),
  TEAM_SCHEDULE_READ: about("See your teams' availability", "Lists and opens the schedules of your teams."),
  TEAM_SCHEDULE_WRITE: about(
    "Change your teams' availability",
    "Creates, changes and deletes schedules of your teams."
  ),
  TEAM_PROFILE_READ: about("See your teams", "Reads the names and profiles of your teams."),
  TEAM_PROFILE_WRITE: about("Change your teams", "Creates, changes and deletes teams."),
  TEAM_MEMBERSHIP_READ: about("See who is in your teams", "Lists the members of your teams and their roles."),
  TEAM_MEMBERSHIP_WRITE: about("Change who is in your teams", "Adds, changes and removes members of your teams."),
  TEAM_APPS_READ: about("See your teams' connected apps", "Lists the apps that are connected to your teams."),
  TEAM_APPS_WRITE: about(
    "Connect and disconnect your teams' apps",
    "Connects apps to your teams and disconnects them."
  ),
  TEAM_ROUTING_FORM_READ: about(
    "See your teams' routing forms",
    "Opens the routing forms of your teams and their responses."
  ),
  TEAM_ROUTING_FORM_WRITE: about(
    "Change your teams' routing form responses",
    "Creates, changes and deletes responses to the routing forms of your teams."
  ),
  TEAM_WORKFLOW_READ: about(
    "See your teams' workflows",
    "Lists and opens the automatic reminders and messages of your teams."
  ),
  TEAM_WORKFLOW_WRITE: about(
    "Change your teams' workflows",
    "Creates, changes and deletes the automatic reminders and messages of your teams."
  ),
  TEAM_VERIFIED_RESOURCES_READ: about(
    "See your teams' verified contacts",
    "Lists the e-mail addresses and phone numbers that your teams have verified."
  ),
  TEAM_VERIFIED_RESOURCES_WRITE: about(
    "Verify contacts for your teams",
    "Verifies e-mail addresses and phone numbers for your teams."
  ),

  ORG_EVENT_TYPE_READ: about(
    "See all event types in your organization",
    "Lists and opens every event type in your organization, those of its teams included."
  ),
  ORG_EVENT_TYPE_WRITE: about(
    "Change event types in your organization",
    "Creates, changes and deletes event types in your organization and its teams."
  ),
  ORG_BOOKING_READ: about(
    "See all bookings in your organization",
    "Lists and opens every booking in your organization, those of its teams included."
  ),
  ORG_BOOKING_WRITE: about(
    "Change bookings in your organization",
    "Creates, changes and deletes bookings in your organization and its teams."
  ),
  ORG_SCHEDULE_READ: about(
    "See availability in your organization",
    "Lists and opens schedules in your organization and its teams."
  ),
  ORG_SCHEDULE_WRITE: about(
    "Change availability in your organization",
    "Creates, changes and deletes schedules in your organization and its teams."
  ),
  ORG_PROFILE_READ: about(
    "See the teams of your organization",
    "Reads the names and profiles of all teams in your organization."
  ),
  ORG_PROFILE_WRITE: about(
    "Change the teams of your organization",
    "Creates, changes and deletes teams in your organization."
  ),
  ORG_MEMBERSHIP_READ: about(
    "See who is in your organization",
    "Lists the people in your organization and the members of its teams."
  ),
  ORG_MEMBERSHIP_WRITE: about(
    "Change who is in your organization",
    "Adds, changes and removes people in your organization and members of its teams."
  ),
  ORG_ROUTING_FORM_READ: about(
    "See routing forms in your organization",
    "Opens the routing forms of your organization and its teams, and their responses."
  ),
  ORG_ROUTING_FORM_WRITE: about(
    "Change routing form responses in your organization",
    "Creates, changes and deletes responses to the routing forms of your organization and its teams."
  ),
  ORG_WEBHOOK_READ: about(
    "See your organization's webhooks",
    "Lists and opens the addresses that are told about events in your organization."
  ),
  ORG_WEBHOOK_WRITE: about(
    "Change your organization's webhooks",
    "Creates, changes and deletes the addresses that are told about events in your organization."
  )
}
