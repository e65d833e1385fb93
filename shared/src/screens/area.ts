import type { Endpoint, Permission } from '../contract/endpoint'
import type { MenuRecord } from '../contract/release'
import type { BuiltinRole } from '../contract/role'

type Calls = Record<
  string,
  Pick<Endpoint, 'title' | 'permission' | 'owner'> & Partial<Pick<Endpoint, 'path'>>
>

/** All its buttons; all but adding and removing its rows; those that only look. */
type Share = 'all' | 'own' | 'read'
type PageEntry = {
  title: string
  icon: string
  /** What it calls. `page` or `list` of the first opens it; every other code is a button, named by the first to ask it. */
  api?: Calls | Calls[]
  /** Its rows are those of the current project. */
  within?: 'project'
  /** What built-in roles are given of it when it is new. */
  roles?: Partial<Record<Exclude<BuiltinRole, 'platform-admin'>, Share>>
}
type FolderEntry = { title: string; icon: string; screens: { [name: string]: Entry } }
type Entry = PageEntry | FolderEntry

/** All that a browser is told of a screen before its code is there. */
export type Screen = {
  path: string
  title: string
  permission: string
  /** Where its page, or its whole list, and one row of it are asked for, so that this is done while their code is on its way. */
  page?: string
  list?: string
  get?: string
  within?: 'project'
}
type Placed<E> = E extends { screens: infer S } ? { [K in keyof S]: Placed<S[K]> } : Screen
type Rows = { menu: MenuRecord[]; screens: object }

// No name of a screen can be in its way, and a copy as JSON, which the browser gets, goes without.
const rows = Symbol('rows of the menu')
export type Area = { readonly [rows]: MenuRecord[] }

/**
 * Declares the screens of a remote. Addresses and route names follow from the names.
 * @example
 * const system = area('system', { title: '系统管理', icon: 'ControlOutlined', screens: {
 *   menu: { title: '菜单管理', icon: 'MenuOutlined', api: menuApi } } })
 * system.menu.path // '/system/menu'
 */
export function area<const E extends Entry>(name: string, entry: E): Placed<E> & Area {
  const { screens, menu } = place(name, entry)
  return { ...screens, [rows]: menu } as Placed<E> & Area
}

/** The rows a remote brings to the menu, parents before children. */
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
  // Every role but the administrators' is for the projects of its user, and may not change what belongs to none.
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
