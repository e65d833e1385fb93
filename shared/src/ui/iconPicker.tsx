import { Button, Flex, Input, Popover, Tooltip } from 'antd'
import { useState, type ReactNode } from 'react'
import { iconApi, type IconOption } from '../contract/icon'
import { isLibraryIcon } from '../contract/iconName'
import { MenuIcon, menuIcons } from './menuIcon'
import { useListed } from './useListed'

/** Search words of the built-in icons. */
const words: Record<string, string> = {
  ApiOutlined: '接口 接入 插头',
  AppstoreOutlined: '应用 默认 方块',
  AuditOutlined: '审计 审核 日志',
  BankOutlined: '建筑 楼宇 银行',
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

const matches = (asked: string, ...texts: string[]) => texts.some((text) => text.includes(asked))
const first = (name: string) => words[name]?.split(' ')[0]

/** Picker for a built-in or library icon, searchable by motif and purpose. */
export function IconPicker({ id, value = '', onChange, disabled, own }: IconPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState('')
  const { data, error } = useListed(iconApi.list, { ready: isOpen || isLibraryIcon(value) })
  const library = data ?? []

  const text = asked.trim()
  const builtIn: Choice[] = [
    ...Object.entries(own ?? {})
      .filter(([name, { label }]) => matches(text, label, words[name] ?? ''))
      .map(([value, { label, icon }]) => ({ value, title: label, icon })),
    ...Object.keys(menuIcons)
      .filter((name) => !(own && name in own) && matches(text, words[name] ?? ''))
      .map((name) => ({ value: name, title: first(name) ?? name })),
  ]
  // A disabled icon remains available only where it is already chosen.
  const uploaded = library
    .filter((icon) => icon.status === 'enabled' || icon.id === value)
    .filter(({ name, code, group, tags }) => matches(text, name, code, group, ...tags))
    .map(({ id, name }) => ({ value: id, title: name }))
  const choose = (name: string) => {
    onChange?.(name)
    setOpen(false)
    setAsked('')
  }
  const nothing = builtIn.length + uploaded.length === 0
  return (
    <Popover
      trigger="click"
      placement="bottomLeft"
      open={isOpen}
      onOpenChange={(open) => setOpen(open && !disabled)}
      content={
        <Flex vertical gap={8} style={{ width: 272 }}>
          <Input
            autoFocus
            allowClear
            placeholder="搜索图标，如 灯"
            aria-label="搜索图标"
            value={asked}
            onChange={({ target }) => setAsked(target.value)}
            onPressEnter={(event) => {
              // Enter must not submit the form around the picker.
              event.preventDefault()
              const [found] = [...uploaded, ...builtIn]
              if (found) choose(found.value)
            }}
          />
          {!data && error && <span role="status">图标库没有取到，稍后再取：{error.message}</span>}
          {nothing && <span>没有找到，换个词试试</span>}
          <Icons title="图标库" icons={uploaded} value={value} onChoose={choose} />
          <Icons title="内置图标" icons={builtIn} value={value} onChoose={choose} />
          {value && !own && (
            <Button size="small" onClick={() => choose('')}>
              用默认图标
            </Button>
          )}
        </Flex>
      }
    >
      <Button id={id} disabled={disabled} icon={own?.[value]?.icon ?? <MenuIcon name={value} />}>
        {value ? (own?.[value]?.label ?? titleOf(value, library)) : '默认图标'}
      </Button>
    </Popover>
  )
}

const titleOf = (value: string, library: IconOption[]) =>
  isLibraryIcon(value) ? library.find(({ id }) => id === value)?.name : first(value)

type Choice = { value: string; title: string; icon?: ReactNode }
type IconsProps = {
  title: string
  icons: Choice[]
  value: string
  onChoose: (value: string) => void
}

const Icons = ({ title, icons, value, onChoose }: IconsProps) =>
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
