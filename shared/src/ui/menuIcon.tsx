import {
  ApiOutlined, AppstoreOutlined, AuditOutlined, BankOutlined, BugOutlined, BulbOutlined, CalendarOutlined, CloudServerOutlined,
  ClusterOutlined, ControlOutlined, DashboardOutlined, DatabaseOutlined, EnvironmentOutlined, EyeOutlined, FileTextOutlined,
  FolderOutlined, GlobalOutlined, HomeOutlined, LoginOutlined, MenuOutlined, PartitionOutlined, PictureOutlined, ProjectOutlined,
  RocketOutlined, SafetyCertificateOutlined, SettingOutlined, ShopOutlined, TagsOutlined, TeamOutlined, ThunderboltOutlined, ToolOutlined,
  UserOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

/** By the name a menu row holds. */
export const menuIcons: Record<string, ComponentType> = {
  ApiOutlined, AppstoreOutlined, AuditOutlined, BankOutlined, BugOutlined, BulbOutlined, CalendarOutlined, CloudServerOutlined,
  ClusterOutlined, ControlOutlined, DashboardOutlined, DatabaseOutlined, EnvironmentOutlined, EyeOutlined, FileTextOutlined,
  FolderOutlined, GlobalOutlined, HomeOutlined, LoginOutlined, MenuOutlined, PartitionOutlined, PictureOutlined, ProjectOutlined,
  RocketOutlined, SafetyCertificateOutlined, SettingOutlined, ShopOutlined, TagsOutlined, TeamOutlined, ThunderboltOutlined, ToolOutlined,
  UserOutlined,
}

export function MenuIcon({ name }: { name: string }) {
  const Icon = menuIcons[name] ?? AppstoreOutlined
  return <Icon />
}
