import {
  ApiOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
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
  PartitionOutlined,
  PictureOutlined,
  ProjectOutlined,
  RocketOutlined,
  SafetyCertificateOutlined,
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
import { iconPath, isLibraryIcon, type BuiltinIcon } from '../contract/iconName'
import { looksVersionAtom } from '../session/looks'

/** Those that are built in, by the name a menu row holds. */
const builtin: Record<BuiltinIcon, ComponentType> = {
  ApiOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
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
  // Its own drawing holds a style element, which the policy refuses.
  LoginOutlined: IdcardOutlined,
  MenuOutlined,
  PartitionOutlined,
  PictureOutlined,
  ProjectOutlined,
  RocketOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShopOutlined,
  TagsOutlined,
  TeamOutlined,
  ThunderboltOutlined,
  ToolOutlined,
  UserOutlined,
}
/** A row may hold a name of an older or newer version, which is none of them. */
export const menuIcons: Record<string, ComponentType | undefined> = builtin

export function MenuIcon({ name }: { name: string }) {
  if (isLibraryIcon(name)) return <LibraryIcon id={name} />
  const Icon = menuIcons[name] ?? AppstoreOutlined
  return <Icon />
}

/** In the colour of the text around it, so that it is seen on every ground. */
function LibraryIcon({ id }: { id: string }) {
  const version = useAtomValue(looksVersionAtom)
  return (
    <span
      aria-hidden
      className="anticon"
      style={{
        width: '1em',
        height: '1em',
        background: 'currentColor',
        mask: `url("${iconPath(id, 'on', version)}") center / contain no-repeat`,
      }}
    />
  )
}
