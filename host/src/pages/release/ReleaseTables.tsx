import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import { failureKindText } from '@iot/shared/contract/release/releaseCenter'
import type { AppBuild, AppRelease } from '@iot/shared/contract/release/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { Can } from '@iot/shared/ui/right'
import { formatTime, getRollbackRefusal, Build, emptyCell } from './build'

/** “2 / 50 会话”. */
const formatShare = ({ used: sessionCount }: AppBuild, failedCount: number) =>
  sessionCount === 0
    ? emptyCell
    : failedCount === 0
      ? '无'
      : `${failedCount} / ${sessionCount} 会话`

/** Lists the builds of a remote that can be rolled back to, and its load failures. */
export const ReleaseTables = ({
  remote,
  onRollback,
}: {
  remote: AppRelease
  onRollback: (build: string) => void
}) => (
  <Flex vertical gap={12}>
    <Table<AppBuild>
      size="small"
      rowKey="build"
      title={() => <strong>保留的版本</strong>}
      scroll={{ x: 820 }}
      pagination={remote.builds.length > 10 && { pageSize: 10, showSizeChanger: false }}
      dataSource={remote.builds}
      locale={{ emptyText: '没有保留的版本' }}
      columns={[
        {
          title: '版本',
          dataIndex: 'build',
          render: (build: string, { unsigned }) => (
            <Space>
              <Build remote={remote} id={build} />
              {build === remote.build && !unsigned && <Tag color="success">使用中</Tag>}
              {build === remote.canary?.build && <Tag color="processing">灰度</Tag>}
            </Space>
          ),
        },
        {
          title: '上次启用',
          dataIndex: 'time',
          width: 180,
          render: (time: string | null) => (time ? formatTime(time) : emptyCell),
        },
        { title: '在线会话', dataIndex: 'sessions', width: 100 },
        {
          title: '页面出错',
          key: 'crashed',
          width: 120,
          render: (_, build) => formatShare(build, build.crashed),
        },
        {
          title: '策略违规',
          key: 'violated',
          width: 120,
          render: (_, build) => formatShare(build, build.violated),
        },
        {
          title: '操作',
          key: 'actions',
          width: 120,
          render: (_, { build }) =>
            build !== remote.build &&
            build !== remote.canary?.build && (
              <Can to={releaseApi.rollback} unless={getRollbackRefusal(remote, build)}>
                <Button
                  type="link"
                  size="small"
                  style={{ marginInlineStart: -7 }}
                  onClick={() => onRollback(build)}
                >
                  回退到此
                </Button>
              </Can>
            ),
        },
      ]}
    />
    <Table<AppRelease['failures'][number]>
      size="small"
      rowKey={({ trace, time }) => trace + time}
      title={() => <strong>最近的加载失败</strong>}
      scroll={{ x: 820 }}
      pagination={false}
      dataSource={remote.failures}
      locale={{ emptyText: '最近 7 天没有加载失败' }}
      columns={[
        { title: '时间', dataIndex: 'time', width: 150, render: formatTime },
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
          render: (build: string) => <Build remote={remote} id={build || null} />,
        },
        { title: '追踪号', dataIndex: 'trace', width: 110 },
      ]}
    />
  </Flex>
)
