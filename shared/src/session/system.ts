import { atom } from 'jotai'
import { readPageBaseConfig } from './pageBaseConfig'

export type System = {
  logo: string
  name: string
  loginLogo: string
  loginBg: string
  slogon: string
  headerLogo: string
}

const defaultSystem: System = {
  logo: '',
  name: '物联云平台',
  loginLogo: '',
  loginBg: '',
  slogon: '万物互联，安全无忧',
  headerLogo: '',
}

function createInitialSystem(): System {
  const { logo, name, loginLogo, loginBg, slogon, headerLogo } =
    readPageBaseConfig() ?? defaultSystem
  return { logo, name, loginLogo, loginBg, slogon, headerLogo }
}

const systemValueAtom = atom(createInitialSystem())

/** Setting it changes `logo`, `name` and `loginBg` alone. */
export const systemAtom = atom(
  (get) => get(systemValueAtom),
  (get, setAtom, { logo, name, loginBg }: Pick<System, 'logo' | 'name' | 'loginBg'>) =>
    setAtom(systemValueAtom, { ...get(systemValueAtom), logo, name, loginBg }),
)
