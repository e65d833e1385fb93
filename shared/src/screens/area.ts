import type { Endpoint, Permission } from '../contract/endpoint'
import type { MenuRecord } from '../contract/release/release.schema'
import type { BuiltinRole } from '../contract/access/role'

type EndpointMap = Record<
  string,
  Pick<Endpoint, 'title' | 'permission' | 'owner'> & Partial<Pick<Endpoint, 'path'>>
>

/** Default grant of a role: all buttons, all except adding and removing rows, or reading alone. */
type GrantLevel = 'all' | 'own' | 'read'
type PageEntry = {
  title: string
  icon: string
  /**
   * API of the screen. `page`, `list` or `read` of the first opens it; every other permission code becomes a button, named by
   * the first call that requires it.
   */
  api?: EndpointMap | EndpointMap[]
  /** `project` adds the current project to the prefetched call, because the rows of the screen belong to it. */
  within?: 'project'
  /** Default grants of the built-in roles when the screen is new. */
  roles?: Partial<Record<Exclude<BuiltinRole, 'platform-admin'>, GrantLevel>>
}
type FolderEntry = { title: string; icon: string; screens: { [name: string]: Entry } }
type Entry = PageEntry | FolderEntry

/** Data that a browser needs about a screen before its code has loaded. */
export type Screen = {
  path: string
  title: string
  permission: string
  /** Paths of the calls for its page, whole list or settings and for one row, so that data loads in parallel with the code. */
  page?: string
  list?: string
  get?: string
  within?: 'project'
}
type ScreensByName<E> = E extends { screens: infer S }
  ? { [K in keyof S]: ScreensByName<S[K]> }
  : Screen
type PlacedEntry = { menu: MenuRecord[]; screens: object }

// A symbol cannot collide with the name of a screen, and JSON for the browser omits it.
const menuRecordsKey = Symbol('rows of the menu')
export type Area = { readonly [menuRecordsKey]: MenuRecord[] }

/**
 * Declares the screens of a remote. Addresses and route names are derived from the names.
 * @example
 * const system = area('system', { title: '系统管理', icon: 'ControlOutlined', screens: {
 *   menu: { title: '菜单管理', icon: 'MenuOutlined', api: menuApi } } })
 * system.menu.path // '/system/menu'
 */
export function area<const E extends Entry>(name: string, entry: E): ScreensByName<E> & Area {
  const { screens, menu } = buildEntry(name, entry)
  return { ...screens, [menuRecordsKey]: menu } as ScreensByName<E> & Area
}

/** Returns the menu rows of a remote, parents before children. */
export const getMenuRecords = (area: Area) => area[menuRecordsKey]

const buildEntry = (routeName: string, entry: Entry): PlacedEntry =>
  'screens' in entry ? buildFolder(routeName, entry) : buildPage(routeName, entry)

const getAddress = (routeName: string) => ({
  routeName,
  parent: routeName.slice(0, Math.max(0, routeName.lastIndexOf('.'))),
  path: `/${routeName.replaceAll('.', '/')}`,
})

function buildFolder(routeName: string, { title, icon, screens }: FolderEntry): PlacedEntry {
  const childEntries = Object.entries(screens).map(
    ([name, entry]) => [name, buildEntry(`${routeName}.${name}`, entry)] as const,
  )
  const menu = childEntries.flatMap(([, child]) => child.menu)
  return {
    screens: Object.fromEntries(childEntries.map(([name, child]) => [name, child.screens])),
    menu: [
      {
        type: 'folder',
        ...getAddress(routeName),
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

function buildPage(
  routeName: string,
  { title, icon, api = [], within, roles = {} }: PageEntry,
): PlacedEntry {
  const address = getAddress(routeName)
  const [firstCalls, ...otherCalls] = [api].flat()
  const openingCall = firstCalls?.page ?? firstCalls?.list ?? firstCalls?.read
  if (firstCalls && !openingCall)
    throw new Error(`${routeName}: its api has neither page, list nor read`)
  const permission = openingCall?.permission ?? ''
  const grantedRoles = Object.entries(roles)
  const titleByPermission = new Map<string, string>()
  const calls = [firstCalls ?? {}, ...otherCalls].flatMap((callMap) => Object.values(callMap))
  for (const call of calls)
    if (
      call.permission.includes(':') &&
      call.permission !== permission &&
      !titleByPermission.has(call.permission)
    )
      titleByPermission.set(call.permission, call.title)
  // All roles except the administrators' are limited to the projects of their user and may not change platform-wide
  // rows.
  const platformPermissions = new Set(
    calls.filter(({ owner }) => owner).map((call) => call.permission),
  )
  const buttons = [...titleByPermission].map(([code, name]) => ({
    name,
    permission: code,
    roles: grantedRoles
      .filter(
        ([, grantLevel]) =>
          !platformPermissions.has(code as Permission) &&
          isInGrantLevel(grantLevel, code, permission),
      )
      .map(([role]) => role),
  }))
  return {
    screens: {
      path: address.path,
      title,
      permission,
      page: firstCalls?.page?.path,
      list: firstCalls?.page ? undefined : (firstCalls?.list ?? firstCalls?.read)?.path,
      get: firstCalls?.get?.path,
      within,
    },
    menu: [
      {
        type: 'page',
        ...address,
        name: title,
        icon,
        permission,
        roles: grantedRoles.map(([role]) => role),
        buttons,
      },
    ],
  }
}

const getPermissionSubject = (code: string) => code.slice(0, code.lastIndexOf(':'))
const isInGrantLevel = (grantLevel: GrantLevel, code: string, openingPermission: string) =>
  grantLevel === 'all' ||
  (grantLevel === 'read'
    ? /:(list|query|export)$/.test(code)
    : !/:(add|remove)$/.test(code) ||
      getPermissionSubject(code) !== getPermissionSubject(openingPermission))
