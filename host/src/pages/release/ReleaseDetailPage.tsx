import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Divider from 'antd/es/divider'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import { useParams } from 'react-router-dom'
import type {
  AppRelease,
  ReleaseChange,
  ReleaseDetail,
} from '@iot/shared/contract/release/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { renderCode } from '@iot/shared/ui/field'
import { Panel } from '@iot/shared/ui/panel'
import { RecentActions } from '@iot/shared/ui/recentActions'
import { Can } from '@iot/shared/ui/right'
import { DetailColumns, DetailHead, useDetail } from '@iot/shared/ui/useDetail'
import {
  Build,
  IncompatibleTag,
  emptyCell,
  formatTime,
  formatVerb,
  getRollbackRefusal,
} from './build'
import { Canary } from './Canary'
import { FailingBuilds } from './FailingBuilds'
import { ReleaseTables } from './ReleaseTables'
import { Sessions, SuccessRate } from './releaseUse'
import { useRollback } from './useRollback'

/** Shows what is served of one remote or the host, how it fares, what was served before and who changed it. */
export function Component() {
  const { id = '' } = useParams()
  const { row, frame: renderLoaded, refresh } = useDetail(releaseApi.get, id)
  const rollback = useRollback(row?.revision, refresh)
  const rollBackTo = (build: string) => row && rollback(row, build)

  return (
    <Panel>
      {renderLoaded(
        row && (
          <Flex vertical gap={16}>
            <DetailHead
              name={row.title}
              code={row.name}
              actions={
                <>
                  <Can to={releaseApi.rollback} unless={explainNoRollback(row)}>
                    <Button onClick={() => rollBackTo(row.previous!)}>回退</Button>
                  </Can>
                  <Button
                    icon={<ReloadOutlined />}
                    aria-label="刷新"
                    title="刷新"
                    onClick={refresh}
                  />
                </>
              }
            >
              {!row.build && <Tag>未部署</Tag>}
              <IncompatibleTag remote={row} />
            </DetailHead>
            {row.incompatibility && (
              <Alert
                type="error"
                showIcon
                title={`当前版本不能在现在的控制台中运行：${row.incompatibility}`}
                description="它的页面只显示这个原因，直到重新发布或回退到能运行的版本。"
              />
            )}
            <FailingBuilds remote={row} onRollback={rollback} />
            <ReleaseFacts
              release={row}
              onStopCanary={() => rollBackTo(row.build!)}
              onChanged={refresh}
            />
            <Divider style={{ margin: 0 }} />
            <ReleaseTables remote={row} onRollback={rollBackTo} />
            <DetailColumns
              asideWidth={360}
              main={<ReleaseHistory release={row} />}
              aside={<RecentActions key={row.revision} of={{ entityId: row.name }} />}
            />
          </Flex>
        ),
      )}
    </Panel>
  )
}

const explainNoRollback = (release: AppRelease) =>
  (release.canary && '先结束灰度') ||
  (release.previous ? getRollbackRefusal(release, release.previous) : '没有上一版本')

type ReleaseFactsProps = { release: ReleaseDetail; onStopCanary: () => void; onChanged: () => void }

function ReleaseFacts({ release, onStopCanary, onChanged }: ReleaseFactsProps) {
  const { build, previous, canary, last, p95, record, revision } = release
  const facts = {
    当前版本: <Build remote={release} id={build} />,
    上一版本: <Build remote={release} id={previous} />,
    灰度版本: canary ? (
      <Canary
        remote={release}
        canary={canary}
        revision={revision}
        onStop={onStopCanary}
        onDone={onChanged}
      />
    ) : (
      emptyCell
    ),
    最近变更: last ? `${formatTime(last.time)} ${formatVerb(last)}` : emptyCell,
    在线会话: <Sessions remote={release} />,
    加载成功率: <SuccessRate remote={release} />,
    '加载 P95': p95 === null ? emptyCell : `${p95} ms`,
    控制台接口: record ? renderCode(record.shellApi) : emptyCell,
    页面和文件: record ? `${record.screens} 个页面，${record.files} 个文件` : emptyCell,
    发布记录: record ? (
      <Typography.Text code copyable={{ text: record.hash }}>
        {record.hash.slice(0, 'sha384-'.length + 12)}…
      </Typography.Text>
    ) : (
      emptyCell
    ),
  }
  return (
    <Descriptions
      size="small"
      column={{ xs: 1, sm: 2, lg: 3 }}
      items={Object.entries(facts).map(([label, children]) => ({ key: label, label, children }))}
    />
  )
}

/** Lists who published, rolled back or widened what, also from the command line, which the audit log lacks. */
const ReleaseHistory = ({ release }: { release: ReleaseDetail }) => (
  <Table<ReleaseChange>
    size="small"
    rowKey={({ time, build }) => time + build}
    title={() => <strong>发布历史</strong>}
    scroll={{ x: 560 }}
    pagination={release.history.length > 10 && { pageSize: 10, showSizeChanger: false }}
    dataSource={release.history}
    locale={{ emptyText: '还没有发布过' }}
    columns={[
      { title: '时间', dataIndex: 'time', width: 140, render: formatTime },
      { title: '操作', key: 'verb', width: 88, render: (_, change) => formatVerb(change) },
      { title: '操作人', dataIndex: 'who', width: 100, ellipsis: true },
      { title: '原因', dataIndex: 'why', ellipsis: true },
      { title: '版本', dataIndex: 'build', width: 130, render: renderCode },
    ]}
  />
)
