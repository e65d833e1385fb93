import {
  ApiOutlined, AppstoreOutlined, AuditOutlined, BankOutlined, BugOutlined, CalendarOutlined, CloudServerOutlined, ClusterOutlined,
  ControlOutlined, EyeOutlined, FileTextOutlined, FolderOutlined, HomeOutlined, LoginOutlined, MenuOutlined, PartitionOutlined,
  PictureOutlined, ProjectOutlined, SafetyCertificateOutlined, SettingOutlined, ShopOutlined, TagsOutlined, TeamOutlined, UserOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

/** By the name a menu row gives, with or without its style: `home` and `HomeOutlined` are the same. */
const icons: Record<string, ComponentType> = {
  api: ApiOutlined, appstore: AppstoreOutlined, audit: AuditOutlined, bank: BankOutlined, bug: BugOutlined, calendar: CalendarOutlined,
  cloudserver: CloudServerOutlined, cluster: ClusterOutlined, control: ControlOutlined, eye: EyeOutlined, filetext: FileTextOutlined,
  folder: FolderOutlined, home: HomeOutlined, login: LoginOutlined, menu: MenuOutlined, partition: PartitionOutlined,
  picture: PictureOutlined, project: ProjectOutlined, safetycertificate: SafetyCertificateOutlined, setting: SettingOutlined,
  shop: ShopOutlined, tags: TagsOutlined, team: TeamOutlined, user: UserOutlined,
}

export function MenuIcon({ name }: { name: string }) {
  const Icon = icons[name.replace(/outlined$/i, '').replace(/[^A-Za-z]/g, '').toLowerCase()] ?? AppstoreOutlined
  return <Icon />
}
