import { Button, Flex, Space, Table, Tag } from 'antd'
import {
  failureKindText,
  releaseApi,
  type AreaBuild,
  type AreaRelease,
} from '@iot/shared/contract/releaseCenter'
import { Right } from '@iot/shared/ui/right'
import { at, barTo, Build, none } from './build'

/** “2 / 50 会话”. */
const share = ({ used }: AreaBuild, wrong: number) =>
  used === 0 ? none : wrong === 0 ? '无' : `${wrong} / ${used} 会话`

/** Lists the builds of a remote that can be rolled back to, and its load failures. */
export const AreaDetail = ({
  area,
  onRollback,
}: {
  area: AreaRelease
  onRollback: (build: string) => void
}) => (
  <Flex vertical gap={12}>
    <Table<AreaBuild>
      size="small"
      rowKey="build"
      title={() => '保留的版本'}
      scroll={{ x: 820 }}
      pagination={area.builds.length > 10 && { pageSize: 10, showSizeChanger: false }}
      dataSource={area.builds}
      locale={{ emptyText: '没有保留的版本' }}
      columns={[
        {
          title: '版本',
          dataIndex: 'build',
          render: (build: string, { unsigned }) => (
            <Space>
              <Build area={area} id={build} />
              {build === area.build && !unsigned && <Tag color="success">使用中</Tag>}
              {build === area.canary?.build && <Tag color="processing">灰度</Tag>}
            </Space>
          ),
        },
        {
          title: '上次启用',
          dataIndex: 'time',
          width: 180,
          render: (time: string | null) => (time ? at(time) : none),
        },
        { title: '在线会话', dataIndex: 'sessions', width: 100 },
        {
          title: '页面出错',
          key: 'crashed',
          width: 120,
          render: (_, one) => share(one, one.crashed),
        },
        {
          title: '策略违规',
          key: 'violated',
          width: 120,
          render: (_, one) => share(one, one.violated),
        },
        {
          title: '操作',
          key: 'actions',
          width: 120,
          render: (_, { build }) =>
            build !== area.build &&
            build !== area.canary?.build && (
              <Right to={releaseApi.rollback} unless={barTo(area, build)}>
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
      scroll={{ x: 820 }}
      pagination={false}
      dataSource={area.failures}
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
          render: (build: string) => <Build area={area} id={build || null} />,
        },
        { title: '追踪号', dataIndex: 'trace', width: 110 },
      ]}
    />
  </Flex>
)
