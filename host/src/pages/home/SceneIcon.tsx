import AudioOutlined from '@ant-design/icons/AudioOutlined'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import ClearOutlined from '@ant-design/icons/ClearOutlined'
import CoffeeOutlined from '@ant-design/icons/CoffeeOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import HomeOutlined from '@ant-design/icons/HomeOutlined'
import LaptopOutlined from '@ant-design/icons/LaptopOutlined'
import LogoutOutlined from '@ant-design/icons/LogoutOutlined'
import MoonOutlined from '@ant-design/icons/MoonOutlined'
import SafetyOutlined from '@ant-design/icons/SafetyOutlined'
import SmileOutlined from '@ant-design/icons/SmileOutlined'
import SunOutlined from '@ant-design/icons/SunOutlined'
import TeamOutlined from '@ant-design/icons/TeamOutlined'
import VideoCameraOutlined from '@ant-design/icons/VideoCameraOutlined'
import type { ComponentType } from 'react'
import { LazyIcon } from '@iot/shared/ui/laterIcon'

type IconType = ComponentType<{ 'aria-hidden'?: boolean }>

/** These icons of scenes are frequent; any other icon loads on demand. */
export const sceneIcons: Record<string, { label: string; Icon: IconType }> = {
  BulbOutlined: { label: '灯', Icon: BulbOutlined },
  SunOutlined: { label: '白天', Icon: SunOutlined },
  MoonOutlined: { label: '夜晚', Icon: MoonOutlined },
  TeamOutlined: { label: '会议', Icon: TeamOutlined },
  AudioOutlined: { label: '演讲', Icon: AudioOutlined },
  CoffeeOutlined: { label: '休息', Icon: CoffeeOutlined },
  ClearOutlined: { label: '清扫', Icon: ClearOutlined },
  EyeOutlined: { label: '巡检', Icon: EyeOutlined },
  SmileOutlined: { label: '迎宾', Icon: SmileOutlined },
  HomeOutlined: { label: '回来', Icon: HomeOutlined },
  LogoutOutlined: { label: '离开', Icon: LogoutOutlined },
  LaptopOutlined: { label: '办公', Icon: LaptopOutlined },
  VideoCameraOutlined: { label: '放映', Icon: VideoCameraOutlined },
  SafetyOutlined: { label: '安全', Icon: SafetyOutlined },
}

export function SceneIcon({ name }: { name: string }) {
  const Icon = sceneIcons[name]?.Icon
  // The icon is hidden from screen readers, because the name beside it says the same.
  return Icon ? <Icon aria-hidden /> : <LazyIcon name={name} />
}
