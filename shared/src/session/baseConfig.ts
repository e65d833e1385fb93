import { atom } from 'jotai'
import { RESET } from 'jotai/utils'
import type { BaseConfig } from '../contract/baseConfig.schema'
import { createPersistedAtom } from './stored'
import { systemAtom } from './system'

const isBaseConfig = (value: unknown): value is BaseConfig | null =>
  value === null ||
  (typeof value === 'object' && 'name' in value && 'slogon' in value && 'themeColor' in value)

/** Last known branding; it is persisted, so that the next start does not flash the defaults. */
const lastBaseConfigAtom = createPersistedAtom<BaseConfig | null>('baseConfig', null, isBaseConfig)

/** Setting it also updates `systemAtom`. */
export const baseConfigAtom = atom(
  (get) => get(lastBaseConfigAtom),
  (_get, setAtom, config: BaseConfig | typeof RESET) => {
    setAtom(lastBaseConfigAtom, config)
    if (config !== RESET) setAtom(systemAtom, config)
  },
)
