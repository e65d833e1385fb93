import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import SolutionOutlined from '@ant-design/icons/SolutionOutlined'
import DashboardOutlined from '@ant-design/icons/DashboardOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import UnorderedListOutlined from '@ant-design/icons/UnorderedListOutlined'
import WarningOutlined from '@ant-design/icons/WarningOutlined'
import type { ReactNode } from 'react'
import type { CardConfig, CardKind } from '@iot/shared/contract/project/viewCard.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'

type CardKindSetup = {
  icon: ReactNode
  /** Shows the usual content without scrolling; a row is 40 px high and 12 px from the next. */
  size: { w: number; h: number }
  /** Returns the initial settings of a new card. */
  config: (tree: SpaceTree) => CardConfig
}

/** The order is the one in which the kinds are offered. */
export const cardKindSetups: Record<CardKind, CardKindSetup> = {
  actions: {
    icon: <BulbOutlined />,
    size: { w: 4, h: 5 },
    config: () => ({ kind: 'actions', spaceId: null }),
  },
  scenes: {
    icon: <ThunderboltOutlined />,
    size: { w: 4, h: 9 },
    config: () => ({ kind: 'scenes', sceneIds: [] }),
  },
  plan: {
    icon: <EnvironmentOutlined />,
    size: { w: 8, h: 11 },
    config: (tree) => ({ kind: 'plan', spaceId: tree.floorsOf()[0]?.id ?? '' }),
  },
  devices: {
    icon: <UnorderedListOutlined />,
    size: { w: 6, h: 10 },
    config: () => ({ kind: 'devices', spaceId: null, state: null }),
  },
  stats: {
    icon: <BarChartOutlined />,
    size: { w: 4, h: 4 },
    config: () => ({ kind: 'stats', spaceId: null, by: 'lights' }),
  },
  problems: {
    icon: <WarningOutlined />,
    size: { w: 12, h: 4 },
    config: () => ({ kind: 'problems' }),
  },
  recent: {
    icon: <ClockCircleOutlined />,
    size: { w: 4, h: 8 },
    config: () => ({ kind: 'recent' }),
  },
  shift: {
    icon: <SolutionOutlined />,
    size: { w: 6, h: 8 },
    config: () => ({ kind: 'shift' }),
  },
  energy: {
    icon: <DashboardOutlined />,
    size: { w: 4, h: 4 },
    config: () => ({ kind: 'energy' }),
  },
  note: {
    icon: <FileTextOutlined />,
    size: { w: 4, h: 3 },
    config: () => ({ kind: 'note', text: '' }),
  },
}
/** Tells whether a card kind has no settings apart from the title. */
export const hasOnlyTitle = ({ kind }: CardConfig) => ['recent', 'shift', 'energy'].includes(kind)
