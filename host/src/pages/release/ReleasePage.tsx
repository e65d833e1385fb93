import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import type { TableColumnsType } from 'antd'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { AppRelease } from '@iot/shared/contract/release/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { release } from '@iot/shared/screens/release'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import {
  formatTime,
  formatVerb,
  getRollbackRefusal,
  Build,
  IncompatibleTag,
  emptyCell,
} from './build'
import { Canary } from './Canary'
import { FailingBuilds } from './FailingBuilds'
import { Sessions, SuccessRate } from './releaseUse'
import { useRollback } from './useRollback'

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
    render: (_, { name, title }) => <Link to={`${release.path}/${name}`}>{title}</Link>,
  },
  {
    title: '当前版本',
    key: 'build',
    width: 160,
    render: (_, remote) =>
      remote.build ? (
        <Flex vertical gap={8}>
          <Build remote={remote} id={remote.build} />
          <IncompatibleTag remote={remote} />
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
    render: (_, remote) => <SuccessRate remote={remote} />,
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
      {formatTime(last.time)} {formatVerb(last)}
    </span>
    <Typography.Text type="secondary" ellipsis={{ tooltip: true }} style={{ maxWidth: 174 }}>
      {last.who} · {last.why}
    </Typography.Text>
  </Flex>
)
