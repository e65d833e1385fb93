import {
  defaultBranding,
  defaultSecurityPolicy,
} from '@iot/shared/contract/platform/platformSettings'
import type { Db } from '../../core/db/db'
import { platformSettingsQueries } from './queries'

/** Creates the one row of the settings if it is missing. */
export async function seedPlatformSettings(db: Db) {
  const queries = platformSettingsQueries(db)
  if (await queries.find()) return
  await queries.insert({
    ...defaultBranding,
    ...defaultSecurityPolicy,
    createBy: '系统',
    updateBy: '系统',
  })
}
