import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Popover from 'antd/es/popover'
import Tooltip from 'antd/es/tooltip'
import { useState, type ReactNode } from 'react'
import type { IconOption } from '../contract/product/icon.schema'
import { iconApi } from '../contract/product/icon.api'
import { isLibraryIcon } from '../contract/product/iconName'
import { MenuIcon, menuIcons } from './menuIcon'
import { usePickerOptions } from './useListed'

/** Search words of the built-in icons. */
const iconSearchWords: Record<string, string> = {
  ApiOutlined: '接口 接入 插头',
  AppstoreOutlined: '应用 默认 方块',
  AuditOutlined: '审计 审核 日志',
  BankOutlined: '建筑 楼宇 银行',
  BookOutlined: '书 字典 词汇',
  BugOutlined: '错误 虫 调试',
  BulbOutlined: '灯 灯泡 照明',
  CalendarOutlined: '日历 节假日 日期',
  CloudServerOutlined: '云 服务器 边缘主机',
  ClusterOutlined: '集群 组织 拓扑',
  ControlOutlined: '控制 系统 调节',
  DashboardOutlined: '仪表 看板 统计',
  DatabaseOutlined: '数据库 数据',
  EnvironmentOutlined: '位置 地图 环境',
  EyeOutlined: '视图 查看 眼睛',
  FileTextOutlined: '文件 日志 文档',
  FolderOutlined: '文件夹 目录',
  GlobalOutlined: '网络 地球 全球',
  HomeOutlined: '首页 家 房子',
  LoginOutlined: '登录 进入',
  MenuOutlined: '菜单 列表',
  PartitionOutlined: '分类 品类 分支',
  PictureOutlined: '图片 图标',
  ProjectOutlined: '项目 工程',
  RocketOutlined: '发布 火箭',
  SafetyCertificateOutlined: '安全 证书 权限',
  SettingOutlined: '设置 配置 齿轮',
  ShopOutlined: '厂商 商店',
  TagsOutlined: '标签 品牌',
  TeamOutlined: '团队 企业 用户组',
  ThunderboltOutlined: '电 能耗 闪电',
  ToolOutlined: '工具 维护',
  UserOutlined: '用户 人',
}

type IconPickerProps = {
  id?: string
  value?: string
  onChange?: (name: string) => void
  disabled?: boolean
  /** Icons of this field, offered first; with them a choice is required. */
  own?: Record<string, { label: string; icon: ReactNode }>
}

const matches = (query: string, ...texts: string[]) => texts.some((text) => text.includes(query))
const getFirstWord = (name: string) => iconSearchWords[name]?.split(' ')[0]

/** Picker for a built-in or library icon, searchable by motif and purpose. */
export function IconPicker({ id, value = '', onChange, disabled, own: ownIcons }: IconPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const { data, error } = usePickerOptions(iconApi.list, { ready: isOpen || isLibraryIcon(value) })
  const libraryIcons = data ?? []

  const text = query.trim()
  const matchingBuiltinIcons: IconChoice[] = [
    ...Object.entries(ownIcons ?? {})
      .filter(([name, { label }]) => matches(text, label, iconSearchWords[name] ?? ''))
      .map(([value, { label, icon }]) => ({ value, title: label, icon })),
    ...Object.keys(menuIcons)
      .filter(
        (name) => !(ownIcons && name in ownIcons) && matches(text, iconSearchWords[name] ?? ''),
      )
      .map((name) => ({ value: name, title: getFirstWord(name) ?? name })),
  ]
  // A disabled icon remains available only where it is already chosen.
  const matchingLibraryIcons = libraryIcons
    .filter((icon) => icon.status === 'enabled' || icon.id === value)
    .filter(({ name, code, group, tags }) => matches(text, name, code, group, ...tags))
    .map(({ id, name }) => ({ value: id, title: name }))
  const choose = (name: string) => {
    onChange?.(name)
    setOpen(false)
    setQuery('')
  }
  const hasNoMatch = matchingBuiltinIcons.length + matchingLibraryIcons.length === 0
  return (
    <Popover
      trigger="click"
      placement="bottomLeft"
      open={isOpen}
      onOpenChange={(nextOpen) => setOpen(nextOpen && !disabled)}
      content={
        <Flex vertical gap={8} style={{ width: 272 }}>
          <Input
            autoFocus
            allowClear
            placeholder="搜索图标，如 灯"
            aria-label="搜索图标"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onPressEnter={(event) => {
              // Enter must not submit the form around the picker.
              event.preventDefault()
              const [firstMatch] = [...matchingLibraryIcons, ...matchingBuiltinIcons]
              if (firstMatch) choose(firstMatch.value)
            }}
          />
          {!data && error && <span role="status">图标库没有取到，稍后再取：{error.message}</span>}
          {hasNoMatch && <span>没有找到，换个词试试</span>}
          <IconList title="图标库" icons={matchingLibraryIcons} value={value} onChoose={choose} />
          <IconList title="内置图标" icons={matchingBuiltinIcons} value={value} onChoose={choose} />
          {value && !ownIcons && (
            <Button size="small" onClick={() => choose('')}>
              用默认图标
            </Button>
          )}
        </Flex>
      }
    >
      <Button
        id={id}
        disabled={disabled}
        icon={ownIcons?.[value]?.icon ?? <MenuIcon name={value} />}
      >
        {value ? (ownIcons?.[value]?.label ?? getIconTitle(value, libraryIcons)) : '默认图标'}
      </Button>
    </Popover>
  )
}

const getIconTitle = (value: string, libraryIcons: IconOption[]) =>
  isLibraryIcon(value) ? libraryIcons.find(({ id }) => id === value)?.name : getFirstWord(value)

type IconChoice = { value: string; title: string; icon?: ReactNode }
type IconListProps = {
  title: string
  icons: IconChoice[]
  value: string
  onChoose: (value: string) => void
}

const IconList = ({ title, icons, value, onChoose }: IconListProps) =>
  icons.length > 0 && (
    <Flex
      wrap
      gap={4}
      role="listbox"
      aria-label={title}
      style={{ maxHeight: 180, overflowY: 'auto' }}
    >
      {icons.map((icon) => (
        <Tooltip key={icon.value} title={icon.title}>
          <Button
            type={icon.value === value ? 'primary' : 'text'}
            role="option"
            aria-selected={icon.value === value}
            aria-label={icon.title}
            icon={icon.icon ?? <MenuIcon name={icon.value} />}
            onClick={() => onChoose(icon.value)}
          />
        </Tooltip>
      ))}
    </Flex>
  )
