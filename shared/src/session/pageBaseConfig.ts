import { readPageMeta } from '../client/pageMeta'
import type { BaseConfig } from '../contract/platform/baseConfig.schema'

const isBaseConfig = (value: unknown): value is BaseConfig =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'slogon' in value &&
  'themeColor' in value

/**
 * Reads the configuration that the server wrote into the page, so that the first render shows the present branding.
 * @returns null if the page has none, as that of an older server
 */
export function readPageBaseConfig(): BaseConfig | null {
  const text = typeof document === 'undefined' ? undefined : readPageMeta('base-config')
  if (!text) return null
  try {
    const value: unknown = JSON.parse(text)
    return isBaseConfig(value) ? value : null
  } catch {
    return null
  }
}
