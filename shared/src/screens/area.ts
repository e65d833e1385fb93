import type { Endpoint, Permission } from '../contract/endpoint'
import type { MenuRecord } from '../contract/release'
import type { BuiltinRole } from '../contract/role'

type Calls = Record<
  string,
  Pick<Endpoint, 'title' | 'permission' | 'owner'> & Partial<Pick<Endpoint, 'path'>>
>

/** Default grant of a role: all buttons, all except adding and removing rows, or reading alone. */
type Share = 'all' | 'own' | 'read'
type PageEntry = {
  title: string
  icon: string
  /**
   * API of the screen. `page` or `list` of the first opens it; every other permission code becomes a button, named by
   * the first call that requires it.
   */
  api?: Calls | Calls[]
  /** Its rows belong to the current project. */
  within?: 'project'
  /** Default grants of the built-in roles when the screen is new. */
  roles?: Partial<Record<Exclude<BuiltinRole, 'platform-admin'>, Share>>
}
type FolderEntry = { title: string; icon: string; screens: { [name: string]: Entry } }
type Entry = PageEntry | FolderEntry

/** Data that a browser needs about a screen before its code has loaded. */
export type Screen = {
  path: string
  title: string
  permission: string
  /** Paths of the calls for its page or whole list and for one row, so that data loads in parallel with the code. */
  page?: string
  list?: string
  get?: string
  within?: 'project'
}
type Placed<E> = E extends { screens: infer S } ? { [K in keyof S]: Placed<S[K]> } : Screen
type Rows = { menu: MenuRecord[]; screens: object }

// A symbol cannot collide with the name of a screen, and JSON for the browser omits it.
const rows = Symbol('rows of the menu')
export type Area = { readonly [rows]: MenuRecord[] }

/**
 * Declares the screens of a remote. Addresses and route names are derived from the names.
 * @example
 * const system = area('system', { title: '系统管理', icon: 'ControlOutlined', screens: {
 *   menu: { title: '菜单管理', icon: 'MenuOutlined', api: menuApi } } })
 * system.menu.path // '/system/menu'
 */
export function area<const E extends Entry>(name: string, entry: E): Placed<E> & Area {
  const { screens, menu } = place(name, entry)
  return { ...screens, [rows]: menu } as Placed<E> & Area
}

/** Returns the menu rows of a remote, parents before children. */
export const menuOf = (area: Area) => area[rows]

const place = (routeName: string, entry: Entry): Rows =>
  'screens' in entry ? folder(routeName, entry) : page(routeName, entry)

const placeOf = (routeName: string) => ({
  routeName,
  parent: routeName.slice(0, Math.max(0, routeName.lastIndexOf('.'))),
  path: `/${routeName.replaceAll('.', '/')}`,
})

function folder(routeName: string, { title, icon, screens }: FolderEntry): Rows {
  const below = Object.entries(screens).map(
    ([name, entry]) => [name, place(`${routeName}.${name}`, entry)] as const,
  )
  const menu = below.flatMap(([, one]) => one.menu)
  return {
    screens: Object.fromEntries(below.map(([name, one]) => [name, one.screens])),
    menu: [
      {
        type: 'folder',
        ...placeOf(routeName),
        name: title,
        icon,
        permission: '',
        roles: [...new Set(menu.flatMap((row) => row.roles))],
        buttons: [],
      },
      ...menu,
    ],
  }
}

function page(routeName: string, { title, icon, api = [], within, roles = {} }: PageEntry): Rows {
  const at = placeOf(routeName)
  const [first, ...others] = [api].flat()
  const opening = first?.page ?? first?.list
  if (first && !opening) throw new Error(`${routeName}: its api has neither page nor list`)
  const permission = opening?.permission ?? ''
  const given = Object.entries(roles)
  const names = new Map<string, string>()
  const calls = [first ?? {}, ...others].flatMap((some) => Object.values(some))
  for (const call of calls)
    if (
      call.permission.includes(':') &&
      call.permission !== permission &&
      !names.has(call.permission)
    )
      names.set(call.permission, call.title)
  // All roles except the administrators' are limited to the projects of their user and may not change platform-wide
  // rows.
  const shared = new Set(calls.filter(({ owner }) => owner).map((call) => call.permission))
  const buttons = [...names].map(([code, name]) => ({
    name,
    permission: code,
    roles: given
      .filter(([, share]) => !shared.has(code as Permission) && isPartOf(share, code, permission))
      .map(([role]) => role),
  }))
  return {
    screens: {
      path: at.path,
      title,
      permission,
      page: first?.page?.path,
      list: first?.page ? undefined : first?.list?.path,
      get: first?.get?.path,
      within,
    },
    menu: [
      {
        type: 'page',
        ...at,
        name: title,
        icon,
        permission,
        roles: given.map(([role]) => role),
        buttons,
      },
    ],
  }
}

const subjectOf = (code: string) => code.slice(0, code.lastIndexOf(':'))
const isPartOf = (share: Share, code: string, opening: string) =>
  share === 'all' ||
  (share === 'read'
    ? /:(list|query|export)$/.test(code)
    : !/:(add|remove)$/.test(code) || subjectOf(code) !== subjectOf(opening))
