import {
  AlertOutlined,
  ApiOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  BookOutlined,
  BellOutlined,
  BugOutlined,
  BulbOutlined,
  CalendarOutlined,
  CloudServerOutlined,
  ClusterOutlined,
  ControlOutlined,
  DashboardOutlined,
  DatabaseOutlined,
  EnvironmentOutlined,
  EyeOutlined,
  FileTextOutlined,
  FolderOutlined,
  GlobalOutlined,
  HomeOutlined,
  IdcardOutlined,
  MenuOutlined,
  NotificationOutlined,
  PartitionOutlined,
  PictureOutlined,
  ProjectOutlined,
  RocketOutlined,
  SafetyCertificateOutlined,
  SaveOutlined,
  SendOutlined,
  SettingOutlined,
  ShopOutlined,
  TagsOutlined,
  TeamOutlined,
  ThunderboltOutlined,
  ToolOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { useAtomValue } from 'jotai'
import type { ComponentType } from 'react'
import { iconPath, isLibraryIcon, type BuiltinIcon } from '../contract/product/iconName'
import { toFileUrl } from '../contract/platform/siteAddress'
import { iconVersionAtom } from '../session/looks'

/** Built-in icons by the name in a menu row. */
const builtinIcons: Record<BuiltinIcon, ComponentType> = {
  AlertOutlined,
  ApiOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  BookOutlined,
  BellOutlined,
  BugOutlined,
  BulbOutlined,
  CalendarOutlined,
  CloudServerOutlined,
  ClusterOutlined,
  ControlOutlined,
  DashboardOutlined,
  DatabaseOutlined,
  EnvironmentOutlined,
  EyeOutlined,
  FileTextOutlined,
  FolderOutlined,
  GlobalOutlined,
  HomeOutlined,
  // The original icon contains a style element, which the content security policy blocks.
  LoginOutlined: IdcardOutlined,
  MenuOutlined,
  NotificationOutlined,
  PartitionOutlined,
  PictureOutlined,
  ProjectOutlined,
  RocketOutlined,
  SafetyCertificateOutlined,
  SaveOutlined,
  SendOutlined,
  SettingOutlined,
  ShopOutlined,
  TagsOutlined,
  TeamOutlined,
  ThunderboltOutlined,
  ToolOutlined,
  UserOutlined,
}
/** A row may contain an icon name of another version, so a lookup may fail. */
export const menuIcons: Record<string, ComponentType | undefined> = builtinIcons

export function MenuIcon({ name }: { name: string }) {
  if (isLibraryIcon(name)) return <LibraryIcon id={name} />
  const Icon = menuIcons[name] ?? AppstoreOutlined
  return <Icon />
}

/** The icon takes the colour of the surrounding text, so that it is visible on every ground. */
function LibraryIcon({ id }: { id: string }) {
  const version = useAtomValue(iconVersionAtom)
  return (
    <span
      aria-hidden
      className="anticon"
      style={{
        width: '1em',
        height: '1em',
        background: 'currentColor',
        mask: `url("${toFileUrl(iconPath(id, 'on', version))}") center / contain no-repeat`,
      }}
    />
  )
}
