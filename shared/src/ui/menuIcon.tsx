import AlertOutlined from '@ant-design/icons/AlertOutlined'
import ApiOutlined from '@ant-design/icons/ApiOutlined'
import AppstoreOutlined from '@ant-design/icons/AppstoreOutlined'
import AuditOutlined from '@ant-design/icons/AuditOutlined'
import BankOutlined from '@ant-design/icons/BankOutlined'
import BookOutlined from '@ant-design/icons/BookOutlined'
import BellOutlined from '@ant-design/icons/BellOutlined'
import BugOutlined from '@ant-design/icons/BugOutlined'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import CalendarOutlined from '@ant-design/icons/CalendarOutlined'
import CloudServerOutlined from '@ant-design/icons/CloudServerOutlined'
import ClusterOutlined from '@ant-design/icons/ClusterOutlined'
import ControlOutlined from '@ant-design/icons/ControlOutlined'
import DashboardOutlined from '@ant-design/icons/DashboardOutlined'
import DatabaseOutlined from '@ant-design/icons/DatabaseOutlined'
import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import FolderOutlined from '@ant-design/icons/FolderOutlined'
import GlobalOutlined from '@ant-design/icons/GlobalOutlined'
import HomeOutlined from '@ant-design/icons/HomeOutlined'
import IdcardOutlined from '@ant-design/icons/IdcardOutlined'
import MenuOutlined from '@ant-design/icons/MenuOutlined'
import NotificationOutlined from '@ant-design/icons/NotificationOutlined'
import PartitionOutlined from '@ant-design/icons/PartitionOutlined'
import PictureOutlined from '@ant-design/icons/PictureOutlined'
import ProjectOutlined from '@ant-design/icons/ProjectOutlined'
import RocketOutlined from '@ant-design/icons/RocketOutlined'
import SafetyCertificateOutlined from '@ant-design/icons/SafetyCertificateOutlined'
import SaveOutlined from '@ant-design/icons/SaveOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import ShopOutlined from '@ant-design/icons/ShopOutlined'
import TagsOutlined from '@ant-design/icons/TagsOutlined'
import TeamOutlined from '@ant-design/icons/TeamOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import ToolOutlined from '@ant-design/icons/ToolOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
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
