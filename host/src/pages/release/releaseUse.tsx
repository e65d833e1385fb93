import Badge from 'antd/es/badge'
import Space from 'antd/es/space'
import Tag from 'antd/es/tag'
import Tooltip from 'antd/es/tooltip'
import type { AppRelease } from '@iot/shared/contract/release/releaseCenter.schema'
import { emptyCell } from './build'

/** Counts the sessions of the current build; sessions of other builds are shown beside it. */
export function Sessions({ remote: { builds, build, canary } }: { remote: AppRelease }) {
  const countSessions = (id?: string | null) =>
    builds.find((candidate) => candidate.build === id)?.sessions ?? 0
  const sessionCount = countSessions(build)
  const canarySessions = countSessions(canary?.build)
  const outdatedSessions =
    builds.reduce((sum, item) => sum + item.sessions, 0) - sessionCount - canarySessions
  return (
    <Space size={4}>
      {sessionCount}
      {canary && <Tag color="processing">灰度 {canarySessions}</Tag>}
      {outdatedSessions > 0 && (
        <Tooltip title="还在使用其他版本的会话">
          <Tag color="warning">旧 {outdatedSessions}</Tag>
        </Tooltip>
      )}
    </Space>
  )
}

/** Shows the share of successful loads of the last 24 hours and their number. */
export const SuccessRate = ({ remote: { successRate, loads } }: { remote: AppRelease }) =>
  successRate === null ? (
    emptyCell
  ) : (
    <Badge
      status={successRate >= 0.99 ? 'success' : successRate >= 0.9 ? 'warning' : 'error'}
      text={`${(Math.floor(successRate * 1000) / 10).toString()}%（${loads} 次）`}
    />
  )
