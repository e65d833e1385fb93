/** A library icon has one variant for each state of a device. */
export const iconVariants = ['on', 'off', 'offline', 'fault'] as const
export type IconVariant = (typeof iconVariants)[number]

/** Names of the built-in icons, as stored in rows. */
export const builtinIcons = [
  'AlertOutlined',
  'ApiOutlined',
  'AppstoreOutlined',
  'AuditOutlined',
  'BankOutlined',
  'BellOutlined',
  'BookOutlined',
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
  'NotificationOutlined',
  'PartitionOutlined',
  'PictureOutlined',
  'ProjectOutlined',
  'RocketOutlined',
  'SafetyCertificateOutlined',
  'SaveOutlined',
  'SendOutlined',
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

/** Rows refer to a library icon by its id and to a built-in one by its name. */
export const isLibraryIcon = (name: string) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)

/**
 * Returns the URL of the current picture; a replaced picture changes everywhere. Another `version` bypasses the cache.
 */
export const iconPath = (id: string, variant: IconVariant = 'on', version = '') =>
  `/v1/icon/${id}/${variant}${version && `?v=${encodeURIComponent(version)}`}`

/** These limits for icon pictures are stricter than those for other pictures. */
export const iconLimits = {
  bytes: 200 * 1024,
  types: ['image/svg+xml', 'image/png', 'image/webp'],
}
