import { ReloadOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import {
  App,
  Badge,
  Button,
  Empty,
  Flex,
  Input,
  Space,
  Table,
  Tag,
  Tooltip,
  Typography,
  type TableColumnsType,
} from 'antd'
import dayjs from 'dayjs'
import { call } from '@iot/shared/client/call'
import { areaText } from '@iot/shared/contract/areaText'
import {
  failureKindText,
  releaseApi,
  type AreaBuild,
  type AreaRelease,
} from '@iot/shared/contract/releaseCenter'
import { quietly } from '@iot/shared/ui/batch'
import { Panel } from '@iot/shared/ui/panel'
import { Right } from '@iot/shared/ui/right'
import { FailedLine } from '@iot/shared/ui/usePage'

const at = (time: string) => dayjs(time).format('YYYY-MM-DD HH:mm')
const none = <Typography.Text type="secondary">—</Typography.Text>
const Build = ({ id }: { id: string | null }) =>
  id ? (
    <Typography.Text code ellipsis={{ tooltip: id }} style={{ maxWidth: 170 }}>
      {id}
    </Typography.Text>
  ) : (
    none
  )
const verbText = { publish: '发布', rollback: '回退' }

export function Component() {
  const { modal, message } = App.useApp()
  const { data, error, loading, refresh } = useRequest(() => call(releaseApi.list, {}), {
    pollingInterval: 30_000,
    pollingWhenHidden: false,
  })

  const rollback = ({ name, build }: AreaRelease, to: string) => {
    const revision = data!.revision
    let why = ''
    return modal.confirm({
      title: `将“${areaText[name]}”回退到 ${to}？`,
      width: 480,
      content: (
        <Flex vertical gap={8}>
          <span>
            现在使用 {build}。回退后，新打开的页面使用 {to}。
          </span>
          <span>
            {name === 'host'
              ? '已打开的页面会提示系统已更新，由用户自己重新加载。'
              : '已打开的页面不用重新加载，下次切换页面时换过去；有未完成的表单时等表单完成再换。'}
          </span>
          <span>两个版本的文件都保留，可以再换回来。</span>
          <Input
            aria-label="原因"
            placeholder="原因（选填，记入发布记录）"
            maxLength={100}
            onChange={({ target }) => (why = target.value)}
          />
        </Flex>
      ),
      okText: '回退',
      okButtonProps: { danger: true },
      onOk: () =>
        call(releaseApi.rollback, { name, build: to, revision, why })
          .then(() => void message.success(`“${areaText[name]}”已回退到 ${to}`), quietly)
          .then(refresh),
    })
  }

  const columns: TableColumnsType<AreaRelease> = [
    {
      title: '功能区',
      key: 'name',
      width: 92,
      fixed: 'left',
      render: (_, { name }) => <strong>{areaText[name]}</strong>,
    },
    {
      title: '当前版本',
      key: 'build',
      width: 138,
      render: (_, { build }) => (build ? <Build id={build} /> : <Tag>未部署</Tag>),
    },
    {
      title: '上一版本',
      key: 'previous',
      width: 138,
      render: (_, { previous }) => <Build id={previous} />,
    },
    {
      title: '最近变更',
      key: 'last',
      width: 206,
      render: (_, { last }) =>
        last ? (
          <Flex vertical>
            <span>
              {at(last.time)} {verbText[last.verb]}
            </span>
            <Typography.Text
              type="secondary"
              ellipsis={{ tooltip: true }}
              style={{ maxWidth: 190 }}
            >
              {last.who} · {last.why}
            </Typography.Text>
          </Flex>
        ) : (
          none
        ),
    },
    {
      title: '在线会话',
      key: 'sessions',
      width: 104,
      render: (_, { builds, build }) => {
        const behind = builds.reduce(
          (sum, one) => (one.build === build ? sum : sum + one.sessions),
          0,
        )
        const current = builds.find((one) => one.build === build)?.sessions ?? 0
        return (
          <Space size={4}>
            {current}
            {behind > 0 && (
              <Tooltip title="还在使用其他版本的会话">
                <Tag color="warning">旧 {behind}</Tag>
              </Tooltip>
            )}
          </Space>
        )
      },
    },
    {
      title: '加载成功率',
      key: 'rate',
      width: 138,
      render: (_, { successRate, loads }) =>
        successRate === null ? (
          none
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
      width: 92,
      align: 'right',
      render: (_, { p95 }) => (p95 === null ? none : `${p95} ms`),
    },
    {
      title: '操作',
      key: 'actions',
      width: 68,
      render: (_, area) => (
        <Right to={releaseApi.rollback} unless={!area.previous && '没有上一版本'}>
          <Button
            type="link"
            size="small"
            danger
            style={{ marginInlineStart: -7 }}
            onClick={() => rollback(area, area.previous!)}
          >
            回退
          </Button>
        </Right>
      ),
    },
  ]

  return (
    <Panel>
      <Flex justify="space-between" align="center">
        <Typography.Text type="secondary">
          成功率和耗时为最近 24 小时，在线会话为最近 2 分钟。
        </Typography.Text>
        <Button
          icon={<ReloadOutlined />}
          aria-label="刷新"
          title="刷新"
          loading={loading}
          onClick={refresh}
        />
      </Flex>
      {error && <FailedLine why={error.message} hasRows={data !== undefined} onRetry={refresh} />}
      <Table<AreaRelease>
        rowKey="name"
        columns={columns}
        dataSource={data?.areas}
        loading={loading && !data}
        pagination={false}
        scroll={{ x: 1010 }}
        locale={{ emptyText: <Empty description={error ? '没有数据' : '还没有发布过'} /> }}
        expandable={{
          columnWidth: 40,
          expandedRowRender: (area) => (
            <Detail area={area} onRollback={(build) => rollback(area, build)} />
          ),
        }}
      />
    </Panel>
  )
}

const Detail = ({
  area: { build: served, builds, failures },
  onRollback,
}: {
  area: AreaRelease
  onRollback: (build: string) => void
}) => (
  <Flex vertical gap={16}>
    <Table<AreaBuild>
      size="small"
      rowKey="build"
      title={() => '保留的版本'}
      pagination={builds.length > 10 && { pageSize: 10, showSizeChanger: false }}
      dataSource={builds}
      locale={{ emptyText: '没有保留的版本' }}
      columns={[
        {
          title: '版本',
          dataIndex: 'build',
          render: (build: string) => (
            <Space>
              <Build id={build} />
              {build === served && <Tag color="success">使用中</Tag>}
            </Space>
          ),
        },
        {
          title: '上次启用',
          dataIndex: 'time',
          width: 180,
          render: (time: string | null) => (time ? at(time) : none),
        },
        { title: '在线会话', dataIndex: 'sessions', width: 120 },
        {
          title: '操作',
          key: 'actions',
          width: 120,
          render: (_, { build, kept }) =>
            build !== served && (
              <Right to={releaseApi.rollback} unless={!kept && '文件已清理，不能再启用'}>
                <Button
                  type="link"
                  size="small"
                  style={{ marginInlineStart: -7 }}
                  onClick={() => onRollback(build)}
                >
                  回退到此
                </Button>
              </Right>
            ),
        },
      ]}
    />
    <Table<AreaRelease['failures'][number]>
      size="small"
      rowKey={({ trace, time }) => trace + time}
      title={() => '最近的加载失败'}
      pagination={false}
      dataSource={failures}
      locale={{ emptyText: '最近 7 天没有加载失败' }}
      columns={[
        { title: '时间', dataIndex: 'time', width: 150, render: at },
        {
          title: '原因',
          dataIndex: 'kind',
          width: 110,
          render: (kind: keyof typeof failureKindText) => (
            <Tag color="error">{failureKindText[kind]}</Tag>
          ),
        },
        { title: '说明', dataIndex: 'detail', ellipsis: true },
        {
          title: '版本',
          dataIndex: 'build',
          width: 190,
          render: (build: string) => <Build id={build || null} />,
        },
        { title: '追踪号', dataIndex: 'trace', width: 110 },
      ]}
    />
  </Flex>
)
