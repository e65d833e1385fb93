import {
  AudioOutlined,
  ClearOutlined,
  CoffeeOutlined,
  EyeOutlined,
  MoonOutlined,
  SmileOutlined,
  SunOutlined,
  TeamOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

const icons: Record<string, ComponentType> = {
  AudioOutlined,
  ClearOutlined,
  CoffeeOutlined,
  EyeOutlined,
  MoonOutlined,
  SmileOutlined,
  SunOutlined,
  TeamOutlined,
}

export function SceneIcon({ name }: { name: string }) {
  const Icon = icons[name] ?? ThunderboltOutlined
  return <Icon />
}
