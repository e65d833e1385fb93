import { ReloadOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import {
  Alert,
  Badge,
  Button,
  Flex,
  Space,
  Table,
  Tag,
  Tooltip,
  Typography,
  type TableColumnsType,
} from 'antd'
import { call } from '@iot/shared/client/call'
import type { AppRelease } from '@iot/shared/contract/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/releaseCenter.api'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { RemoteDetail } from './RemoteDetail'
import {
  formatTime,
  getRollbackRefusal,
  Build,
  findFailingBuilds,
  getBuildName,
  emptyCell,
} from './build'
import { Canary } from './Canary'
import { useRollback } from './useRollback'

const releaseVerbText = { publish: '发布', rollback: '回退' }

export function Component() {
  const { data, error, loading, refresh } = useRequest(
    () => call(releaseApi.list, {}, { inline: true }),
    {
      pollingInterval: 30_000,
      pollingWhenHidden: false,
    },
  )

  const rollback = useRollback(data?.revision, refresh)

  const columns = createColumns(data?.revision, rollback, refresh)

  return (
    <Panel>
      <Flex justify="space-between" align="start" gap={12}>
        <Space wrap>
          <strong style={{ fontSize: 16 }}>各功能区的版本</strong>
          <Typography.Text type="secondary">
            成功率和耗时为最近 24 小时，在线会话为最近 2 分钟
          </Typography.Text>
        </Space>
        <Button
          icon={<ReloadOutlined />}
          aria-label="刷新"
          title="刷新"
          style={{ flex: 'none' }}
          loading={loading}
          onClick={refresh}
        />
      </Flex>
      {error && (
        <LoadErrorAlert why={error.message} hasRows={data !== undefined} onRetry={refresh} />
      )}
      {data?.areas.map((remote) => (
        <FailingBuilds key={remote.name} remote={remote} onRollback={rollback} />
      ))}
      <Table<AppRelease>
        rowKey="name"
        size="middle"
        columns={columns}
        dataSource={data?.areas}
        loading={loading && !data}
        pagination={false}
        scroll={{ x: 980 }}
        locale={buildEmptyLocale(data, '还没有发布过')}
        expandable={{
          columnWidth: 40,
          expandedRowRender: (remote) => (
            <RemoteDetail remote={remote} onRollback={(build) => rollback(remote, build)} />
          ),
        }}
      />
    </Panel>
  )
}

type Rollback = ReturnType<typeof useRollback>

const createColumns = (
  revision: number | undefined,
  rollback: Rollback,
  onChanged: () => void,
): TableColumnsType<AppRelease> => [
  {
    title: '功能区',
    key: 'name',
    width: 96,
    fixed: 'left',
    render: (_, { title }) => <strong>{title}</strong>,
  },
  {
    title: '当前版本',
    key: 'build',
    width: 160,
    render: (_, remote) =>
      remote.build ? (
        <Flex vertical gap={8}>
          <Build remote={remote} id={remote.build} />
          {remote.canary && (
            <Canary
              remote={remote}
              canary={remote.canary}
              revision={revision!}
              onStop={() => rollback(remote, remote.build!)}
              onDone={onChanged}
            />
          )}
        </Flex>
      ) : (
        <Tag>未部署</Tag>
      ),
  },
  {
    title: '上一版本',
    key: 'previous',
    width: 146,
    render: (_, remote) => <Build remote={remote} id={remote.previous} />,
  },
  {
    title: '最近变更',
    key: 'last',
    width: 200,
    render: (_, { last }) => (last ? <LastChange change={last} /> : emptyCell),
  },
  {
    title: '在线会话',
    key: 'sessions',
    width: 92,
    align: 'right',
    render: (_, remote) => <Sessions remote={remote} />,
  },
  {
    title: '加载成功率',
    key: 'rate',
    width: 130,
    render: (_, { successRate, loads }) =>
      successRate === null ? (
        emptyCell
      ) : (
        <Badge
          status={successRate >= 0.99 ? 'success' : successRate >= 0.9 ? 'warning' : 'error'}
          text={`${(Math.floor(successRate * 1000) / 10).toString()}%（${loads} 次）`}
        />
      ),
  },
  {
    title: '加载 P95',
    key: 'p95',
    width: 88,
    align: 'right',
    render: (_, { p95 }) => (p95 === null ? emptyCell : `${p95} ms`),
  },
  {
    title: '操作',
    key: 'actions',
    width: 64,
    render: (_, remote) => (
      <Can
        to={releaseApi.rollback}
        unless={
          (remote.canary && '先结束灰度') ||
          (remote.previous ? getRollbackRefusal(remote, remote.previous) : '没有上一版本')
        }
      >
        <Button
          type="link"
          size="small"
          style={{ marginInlineStart: -7 }}
          onClick={() => rollback(remote, remote.previous!)}
        >
          回退
        </Button>
      </Can>
    ),
  },
]

type LastChangeProps = { change: NonNullable<AppRelease['last']> }

/** Tells when the remote was last published or rolled back, by whom and why. */
const LastChange = ({ change: last }: LastChangeProps) => (
  <Flex vertical>
    <span>
      {formatTime(last.time)} {last.share ? `灰度 ${last.share}%` : releaseVerbText[last.verb]}
    </span>
    <Typography.Text type="secondary" ellipsis={{ tooltip: true }} style={{ maxWidth: 174 }}>
      {last.who} · {last.why}
    </Typography.Text>
  </Flex>
)

/** Counts the sessions of the current build; sessions of other builds are shown beside it. */
function Sessions({ remote: { builds, build, canary } }: { remote: AppRelease }) {
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

type FailingBuildsProps = { remote: AppRelease; onRollback: Rollback }

/** Warns of builds whose page crashed in many sessions, and offers to roll back. */
const FailingBuilds = ({ remote, onRollback }: FailingBuildsProps) =>
  findFailingBuilds(remote).map(({ build, crashed, used: sessionCount, to }) => (
    <Alert
      key={build}
      type="warning"
      showIcon
      title={`“${remote.title}”的${build === remote.build ? '当前版本' : '灰度版本'}在 ${crashed} / ${sessionCount} 个会话中页面出错，可以回退到“${getBuildName(remote, to)}”`}
      action={
        <Can to={releaseApi.rollback}>
          <Button size="small" onClick={() => onRollback(remote, to)}>
            回退…
          </Button>
        </Can>
      }
    />
  ))
