import type { BaseConfig } from '@iot/shared/contract/platform/baseConfig.schema'
import { describePasswordPolicy } from '@iot/shared/contract/access/passwordPolicy'
import type { PasswordPolicy } from '@iot/shared/contract/access/passwordPolicy.schema'
import {
  defaultBranding,
  defaultSecurityPolicy,
} from '@iot/shared/contract/platform/platformSettings'
import type {
  Branding,
  SecurityPolicy,
} from '@iot/shared/contract/platform/platformSettings.schema'
import type { Db } from '../../core/db/db'
import { isOutage } from '../../core/db/outage'
import { platformSettingsQueries } from './queries'

/** A process that missed the news of a change notices it within this time. */
const cacheMs = 2000

export type CurrentSettings = Branding & SecurityPolicy & { version: number }
export type PlatformSettingsStore = ReturnType<typeof createPlatformSettings>

/** Reads the platform settings for sign-in, sessions and the page; the row is cached for a moment. */
export function createPlatformSettings(db: Db) {
  let lastSettings: CurrentSettings = { ...defaultBranding, ...defaultSecurityPolicy, version: 0 }
  let readTime = -Infinity
  let generation = 0

  /** @param reader the transaction of a caller that is in one, because it may hold the only connection */
  async function readSettings(reader: Db = db): Promise<CurrentSettings> {
    if (performance.now() - readTime < cacheMs) return lastSettings
    const startTime = performance.now()
    const startGeneration = generation
    const settings = (await platformSettingsQueries(reader).find()) ?? lastSettings
    // A row that was read before a change serves this call only.
    if (startGeneration === generation && startTime > readTime) {
      lastSettings = settings
      readTime = startTime
    }
    return settings
  }

  return {
    read: readSettings,
    /** Returns the last known settings during an outage of the database, because the page must still open. */
    readForPage: () =>
      readSettings().catch((error: Error) => {
        if (isOutage(error)) return lastSettings
        throw error
      }),
    /** Drops the cached row after a change of rights or settings. */
    forget() {
      generation++
      readTime = -Infinity
    },
  }
}

export const toPasswordPolicy = ({
  passwordMinLength,
  passwordHistory,
  passwordMaxAgeDays,
}: SecurityPolicy): PasswordPolicy => ({
  minLength: passwordMinLength,
  history: passwordHistory,
  maxAgeDays: passwordMaxAgeDays,
})

/** Returns what anyone may know of the settings: the branding, and the rules that the forms show. */
export function toBaseConfig(settings: CurrentSettings): BaseConfig {
  const { name, slogon, logo, headerLogo, loginBg, favicon, themeColor, icp, version } = settings
  const passwordRules = toPasswordPolicy(settings)
  return {
    name,
    slogon,
    logo,
    headerLogo,
    loginLogo: '',
    loginBg,
    favicon,
    themeColor,
    icp,
    captcha: settings.captcha === 'always',
    passwordPolicy: describePasswordPolicy(passwordRules),
    passwordRules,
    idleMinutes: settings.idleMinutes,
    version,
  }
}
