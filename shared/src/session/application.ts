import { atom } from 'jotai'
import { createPersistedAtom } from './stored'

export type ButtonSetting = { size: 'small' | 'middle' | 'large'; openVoice: boolean }

const isButtonSetting = (value: unknown): value is ButtonSetting =>
  typeof value === 'object' &&
  value !== null &&
  'size' in value &&
  ['small', 'middle', 'large'].includes(String(value.size)) &&
  'openVoice' in value &&
  typeof value.openVoice === 'boolean'

/** The atom is persisted as `buttonSetting`. */
export const buttonSettingAtom = createPersistedAtom<ButtonSetting>(
  'buttonSetting',
  { size: 'middle', openVoice: true },
  isButtonSetting,
)
/** Edit mode is never persisted, so every start begins without it. */
export const isEditModeAtom = atom(false)

export type Theme = 'light' | 'dark' | 'system'
export const themeAtom = createPersistedAtom<Theme>('theme', 'system', (value): value is Theme =>
  ['light', 'dark', 'system'].includes(String(value)),
)
export const siderCollapsedAtom = createPersistedAtom<boolean>(
  'siderCollapsed',
  false,
  (value): value is boolean => typeof value === 'boolean',
)
