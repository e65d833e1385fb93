import { atom } from 'jotai'
import type { BaseConfig } from '../contract/baseConfig.schema'
import { readPageBaseConfig } from './pageBaseConfig'
import { systemAtom } from './system'

const baseConfigValueAtom = atom(readPageBaseConfig())

/** Branding and public rules of the platform; null until they are known. Setting it also updates `systemAtom`. */
export const baseConfigAtom = atom(
  (get) => get(baseConfigValueAtom),
  (_get, setAtom, config: BaseConfig) => {
    setAtom(baseConfigValueAtom, config)
    setAtom(systemAtom, config)
  },
)
