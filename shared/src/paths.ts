/** Addresses of the console. A screen that is not built has none here. */
export const paths = {
  home: () => '/home',
  login: () => '/login',
  notFound: () => '/404',
  serviceUnavailable: () => '/serviceUnavailable',

  deviceAccess: () => '/deviceAccess',
  deviceAccessConfig: () => '/deviceAccess/config',
  manufacturers: () => '/deviceAccess/config/manufacturer',

  system: () => '/system',
  menus: () => '/system/menu',
  releases: () => '/system/release',
  actionLog: () => '/system/log/actionLog',

  enterprise: () => '/enterprise',
  users: () => '/enterprise/user',
  roles: () => '/enterprise/user?tab=role',
}
