import { atom } from 'jotai'

export type System = {
  logo: string
  name: string
  loginLogo: string
  loginBg: string
  slogon: string
  headerLogo: string
}

const systemValueAtom = atom<System>({
  logo: '',
  name: '物联云平台',
  loginLogo: '',
  loginBg: '',
  slogon: '万物互联，安全无忧',
  headerLogo: '',
})

/** Setting it changes `logo`, `name` and `loginBg` alone. */
export const systemAtom = atom(
  (get) => get(systemValueAtom),
  (get, setAtom, { logo, name, loginBg }: Pick<System, 'logo' | 'name' | 'loginBg'>) =>
    setAtom(systemValueAtom, { ...get(systemValueAtom), logo, name, loginBg }),
)
