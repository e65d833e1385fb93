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
