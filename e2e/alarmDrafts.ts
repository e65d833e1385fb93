/** The fields of a notification channel that its kind does not need. */
export const channelDraft = {
  status: 'enabled',
  perMinute: 60,
  template: '',
  smtpHost: '',
  smtpPort: 465,
  smtpSecurity: 'tls',
  smtpUser: '',
  smtpCa: '',
  sender: '',
  senderName: '',
  recipients: [],
}

/** An alarm rule of the first project that applies at once and everywhere; name and source are to be added. */
export const alarmRuleDraft = {
  severity: 'minor',
  projectId: 1,
  spaceId: null,
  groupId: null,
  productId: null,
  forMinutes: 0,
  recoverMinutes: 0,
  status: 'enabled',
  description: '',
}

/** A notification policy that applies at any time; severities, projects and steps are to be added. */
export const policyDraft = {
  status: 'enabled',
  dayMode: 'all',
  calendarId: null,
  fromClock: '',
  toClock: '',
  notifiesResolved: true,
  isFallback: false,
}
