/** What an icon of the library looks like in each state of a device. */
export const iconVariants = ['on', 'off', 'offline', 'fault'] as const
export type IconVariant = (typeof iconVariants)[number]

/** Those that are built in, by the name a row holds. */
export const builtinIcons = [
  'ApiOutlined',
  'AppstoreOutlined',
  'AuditOutlined',
  'BankOutlined',
  'BugOutlined',
  'BulbOutlined',
  'CalendarOutlined',
  'CloudServerOutlined',
  'ClusterOutlined',
  'ControlOutlined',
  'DashboardOutlined',
  'DatabaseOutlined',
  'EnvironmentOutlined',
  'EyeOutlined',
  'FileTextOutlined',
  'FolderOutlined',
  'GlobalOutlined',
  'HomeOutlined',
  'LoginOutlined',
  'MenuOutlined',
  'PartitionOutlined',
  'PictureOutlined',
  'ProjectOutlined',
  'RocketOutlined',
  'SafetyCertificateOutlined',
  'SettingOutlined',
  'ShopOutlined',
  'TagsOutlined',
  'TeamOutlined',
  'ThunderboltOutlined',
  'ToolOutlined',
  'UserOutlined',
] as const
export type BuiltinIcon = (typeof builtinIcons)[number]
export const isBuiltinIcon = (name: string): name is BuiltinIcon =>
  (builtinIcons as readonly string[]).includes(name)

/** Menus, product types and views name an icon of the library by its id, and one that is built in by its name. */
export const isLibraryIcon = (name: string) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)

/** Its picture as it now stands: one that is replaced is replaced everywhere. A page asks anew for another `version`. */
export const iconPath = (id: string, variant: IconVariant = 'on', version = '') =>
  `/v1/icon/${id}/${variant}${version && `?v=${encodeURIComponent(version)}`}`

/** The picture of an icon is smaller than other pictures may be. */
export const iconLimits = {
  bytes: 200 * 1024,
  types: ['image/svg+xml', 'image/png', 'image/webp'],
}
