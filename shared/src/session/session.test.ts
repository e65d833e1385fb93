import { createStore } from 'jotai'
import { RESET } from 'jotai/utils'
import { buttonSettingAtom, isEditModeAtom } from './application'
import { currentProjectIdAtom, projectsAtom, toProjects } from './project'
import { systemAtom } from './system'
import { isSignedInAtom, signOutAtom, tokenAtom, userInfoAtom } from './user'

const user = {
  id: '1',
  username: 'admin',
  name: '管理员',
  roles: [],
  permissions: ['*'],
  mustChangePassword: false,
  seesAllProjects: true,
}

beforeEach(() => localStorage.clear())

describe('user', () => {
  it('stores token and user info in the browser, and clearing either removes its copy', () => {
    const store = createStore()
    store.set(tokenAtom, 'abc')
    store.set(userInfoAtom, user)
    expect(JSON.parse(localStorage.getItem('token')!)).toBe('abc')
    expect(JSON.parse(localStorage.getItem('userInfo')!)).toEqual(user)

    store.set(tokenAtom, RESET)
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('userInfo')).not.toBeNull()
    store.set(userInfoAtom, RESET)
    expect(localStorage.getItem('userInfo')).toBeNull()
  })

  it('clears both on sign-out', () => {
    const store = createStore()
    store.set(tokenAtom, 'abc')
    store.set(userInfoAtom, user)
    store.set(signOutAtom)
    expect(store.get(isSignedInAtom)).toBe(false)
    expect([localStorage.getItem('token'), localStorage.getItem('userInfo')]).toEqual([null, null])
  })

  it('follows a sign-out in another tab', () => {
    const store = createStore()
    store.set(tokenAtom, 'abc')
    const unsubscribe = store.sub(tokenAtom, () => {})
    localStorage.removeItem('token')
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'token', newValue: null, storageArea: localStorage }),
    )
    expect(store.get(isSignedInAtom)).toBe(false)
    unsubscribe()
  })
})

describe('stored copies', () => {
  it.each(['{"size":', '"huge"', '{"size":"huge","openVoice":true}', '{"size":"small"}', 'null'])(
    'falls back to the default for %s',
    (text) => {
      localStorage.setItem('buttonSetting', text)
      const store = createStore()
      const unsubscribe = store.sub(buttonSettingAtom, () => {})
      expect(store.get(buttonSettingAtom)).toEqual({ size: 'middle', openVoice: true })
      unsubscribe()
    },
  )

  it('restores the project of the last visit', () => {
    const store = createStore()
    store.set(currentProjectIdAtom, 3)
    expect(localStorage.getItem('currentProjectId')).toBe('3')
  })
})

it('has three projects before the first answer', () =>
  expect(createStore().get(projectsAtom)).toHaveLength(3))

it('names a project of the tree as group/project', () =>
  expect(
    toProjects({
      children: [
        {
          name: '华南',
          children: [{ projectId: 7, id: 'a', name: '科创大厦', timeZone: 'Asia/Shanghai' }],
        },
      ],
    }),
  ).toEqual([{ id: 7, name: '科创大厦', fullname: '华南/科创大厦' }]))

it('updates only logo, name and login background of the system', () => {
  const store = createStore()
  const initialSystem = store.get(systemAtom)
  const changes = { logo: 'l', name: 'n', loginBg: 'b', slogon: 'changed', headerLogo: 'changed' }
  store.set(systemAtom, changes)
  expect(store.get(systemAtom)).toEqual({ ...initialSystem, logo: 'l', name: 'n', loginBg: 'b' })
})

it('starts outside edit mode and never stores it', () => {
  const store = createStore()
  expect(store.get(isEditModeAtom)).toBe(false)
  store.set(isEditModeAtom, true)
  expect(localStorage).toHaveLength(0)
})
