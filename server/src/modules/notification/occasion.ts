import type { AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'

/** Something that people may have to be told; the module that notices it describes it in plain values. */
export type NotificationOccasion = {
  /** Id of the event itself; an occasion that is given twice notifies once. */
  occasionId: string
  /** Null for the platform itself. */
  projectId: number | null
  /**
   * `opened`, `reopened` and `raised` (a higher severity) notify and restart the escalation; `acknowledged` ends the
   * escalation; `resolved` ends it and tells those who were notified; `reminded` notifies again, without an escalation.
   */
  kind: 'opened' | 'reopened' | 'raised' | 'reminded' | 'acknowledged' | 'resolved'
  severity: AlarmSeverity
  title: string
  lines: string[]
  /** Path of the page in the console, such as `/system/alarm/incident/…`. */
  path: string
  time: string
  /** Id of what opens and is resolved, such as an incident; its notifications are sent in their order. */
  subject: string
  /**
   * Others are told of at the same time: it waits for a moment in which `bundleNotifications` makes them one message for
   * each channel.
   */
  isBundled?: boolean
}

/** Result of an occasion for a timeline. */
export type EnqueueResult = {
  queuedCount: number
  /** Policies that concern the occasion and did not notify, with the reason. */
  skipped: { policyId: string; policyName: string; reason: string }[]
}
