import { atom } from 'jotai'
import { RESET } from 'jotai/utils'
import type { BaseConfig } from '../contract/platform/baseConfig.schema'
import { defaultPasswordPolicy } from '../contract/access/passwordPolicy'
import { readPageBaseConfig } from './pageBaseConfig'
import { systemAtom } from './system'

/** Fields that a remote built for an earlier minor version of the shell API does not set. */
const laterFields = {
  favicon: '',
  passwordRules: defaultPasswordPolicy,
  idleMinutes: 0,
  version: 0,
} satisfies Partial<BaseConfig>

type SettableBaseConfig = Omit<BaseConfig, keyof typeof laterFields> & Partial<BaseConfig>

const baseConfigValueAtom = atom(readPageBaseConfig())

/** Branding and public rules of the platform; null until they are known. Setting it also updates `systemAtom`. */
export const baseConfigAtom = atom(
  (get) => get(baseConfigValueAtom),
  (get, setAtom, config: SettableBaseConfig | typeof RESET) => {
    if (config === RESET) return setAtom(baseConfigValueAtom, null)
    setAtom(baseConfigValueAtom, { ...laterFields, ...get(baseConfigValueAtom), ...config })
    setAtom(systemAtom, config)
  },
)
