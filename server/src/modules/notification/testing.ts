import { notificationChannelApi } from '@iot/shared/contract/alarm/notificationChannel.api'
import type { NotificationChannelDraft } from '@iot/shared/contract/alarm/notificationChannel.schema'
import { notificationPolicyApi } from '@iot/shared/contract/alarm/notificationPolicy.api'
import type { NotificationPolicyDraft } from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { uuidv7 } from 'uuidv7'
import { createSecretBox } from '../../core/secretBox'
import type { AppOptions } from '../../settings'
import { testApp, type TestApp } from '../../testing'
import { startDispatcher } from './dispatcher'
import { createTargetCheck } from './targetAddress'
import type { NotificationOccasion } from './occasion'

const secretKey = 'a secret of the tests, long enough'
const privateNetworks = '127.0.0.1'
/** The timers of the platform and of the dispatchers stand still; a test flushes by hand. */
const noPollMs = 3_600_000
export const publicUrl = 'https://console.example'

export const startNotificationApp = (options: Partial<AppOptions> = {}) =>
  testApp({ ...options, secretKey, publicUrl, notification: { privateNetworks, pollMs: noPollMs } })

/** A further process on the same database. */
export const startProcess = (
  { app }: TestApp,
  timeoutMs?: number,
  allowedNetworks = privateNetworks,
) =>
  startDispatcher(app.db, {
    box: createSecretBox({ secretKey }, 'notificationChannel'),
    targets: createTargetCheck(allowedNetworks),
    pages: app.pageNotifications,
    publicUrl,
    pollMs: noPollMs,
    timeoutMs,
  })

export const webhookSecret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cyE='
export const buildChannelDraft = (
  change: Partial<NotificationChannelDraft>,
): NotificationChannelDraft => ({
  name: `渠道 ${uuidv7()}`,
  kind: 'webhook',
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
  url: '',
  secret: webhookSecret,
  smtpPassword: '',
  ...change,
})
export const createChannel = (app: TestApp, change: Partial<NotificationChannelDraft>) =>
  app.as('admin').call(notificationChannelApi.create, buildChannelDraft(change))

/** A policy for everything and everybody, if nothing else is said. */
export const createPolicy = (
  app: TestApp,
  channelIds: string[],
  change: Partial<NotificationPolicyDraft> = {},
) =>
  app.as('admin').call(notificationPolicyApi.create, {
    name: `策略 ${uuidv7()}`,
    status: 'enabled',
    severities: ['critical', 'major', 'minor', 'info'],
    projectIds: [],
    dayMode: 'all',
    calendarId: null,
    fromClock: '',
    toClock: '',
    notifiesResolved: true,
    isFallback: false,
    steps: [{ afterMinutes: 0, channelIds, roleIds: [] }],
    ...change,
  })

export const buildOccasion = (
  change: Partial<NotificationOccasion> = {},
): NotificationOccasion => ({
  occasionId: uuidv7(),
  projectId: null,
  kind: 'opened',
  severity: 'major',
  title: '会议室温度过高',
  lines: ['温度 29.5 ℃，超过 28 ℃'],
  path: '/system/alarm/channel',
  time: new Date().toISOString(),
  subject: uuidv7(),
  ...change,
})
