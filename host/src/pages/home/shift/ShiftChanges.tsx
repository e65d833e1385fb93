import useRequest from 'ahooks/es/useRequest'
import Checkbox from 'antd/es/checkbox'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { changeOriginText } from '@iot/shared/contract/control/shift'
import type { ShiftChange } from '@iot/shared/contract/control/shift.schema'
import { shiftApi } from '@iot/shared/contract/control/shift.api'
import { runStatusText } from '@iot/shared/contract/control/scene'
import { paths } from '@iot/shared/screens/paths'
import { controlTasksAtom } from '@iot/shared/session/live'
import { useCan } from '@iot/shared/session/can'
import { Select } from '@iot/shared/ui/select'
import { buildEmptyLocale, buildInnerPagination, LoadErrorAlert } from '@iot/shared/ui/usePage'
import { formatShortTime } from '@iot/shared/client/zone'
import * as styles from './shift.module.css'

const pageSize = 10
type ShiftChangesProps = { projectId: number; from: string }

/** Lists commands, scene runs and configuration changes since a time, counted by person, each with its result. */
export function ShiftChanges({ projectId, from }: ShiftChangesProps) {
  const tasks = useAtomValue(controlTasksAtom)
  const endedTaskCount = [...tasks.values()].filter(({ doneTime }) => doneTime !== null).length
  const [person, setPerson] = useState<string>()
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [pageNo, setPageNo] = useState(1)
  const { data, error, loading, refresh } = useRequest(
    async () => {
      const [people, changes] = await Promise.all([
        call(shiftApi.people, { projectId, from }, { quiet: true }),
        call(
          shiftApi.changes,
          { projectId, from, by: person, onlyFailed: onlyFailed || undefined, pageNo, pageSize },
          { quiet: true },
        ),
      ])
      return { people, ...changes }
    },
    {
      refreshDeps: [projectId, from, person, onlyFailed, pageNo, endedTaskCount],
      throttleWait: 1000,
    },
  )

  return (
    <section aria-label="操作记录">
      <div className={styles.bar}>
        <Select
          aria-label="操作人"
          placeholder="全部操作人"
          allowClear
          size="small"
          style={{ minWidth: 240 }}
          value={person}
          options={data?.people.map(
            ({ name, displayName, tasks, config, manual, scenes, failed }) => ({
              value: name,
              label: [
                `${displayName} ${tasks} 次`,
                config > 0 && `配置 ${config}`,
                manual > 0 && `手动 ${manual}`,
                scenes > 0 && `场景 ${scenes}`,
                failed > 0 && `失败 ${failed}`,
              ]
                .filter(Boolean)
                .join('，'),
            }),
          )}
          onChange={(name: string | undefined) => {
            setPerson(name)
            setPageNo(1)
          }}
        />
        <Checkbox
          checked={onlyFailed}
          onChange={({ target }) => {
            setOnlyFailed(target.checked)
            setPageNo(1)
          }}
        >
          只看有失败的
        </Checkbox>
      </div>
      {error && (
        <div className={styles.failed}>
          <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />
        </div>
      )}
      <Table<ShiftChange>
        size="small"
        rowKey="id"
        columns={columns}
        scroll={{ x: 640 }}
        dataSource={data?.list}
        loading={loading && !data}
        locale={buildEmptyLocale(
          data,
          person || onlyFailed ? '没有符合的操作' : '这段时间没有人操作',
        )}
        pagination={buildInnerPagination({ pageNo, pageSize, total: data?.total }, setPageNo)}
      />
    </section>
  )
}

/** Links a change to its line in 操作日志 if there is one and the user may read it. */
function ChangeTitle({ title, entityId }: Pick<ShiftChange, 'title' | 'entityId'>) {
  const can = useCan()
  if (!entityId || !can(actionLogApi.page)) return title
  return <Link to={paths.system.log.actionLog({ entityId })}>{title}</Link>
}

function ChangeResult({ kind, status, reason, unit, total, success, failed }: ShiftChange) {
  if (kind === 'change')
    return status === 'failed' ? (
      <b className={styles.bad}>失败：{reason}</b>
    ) : reason ? (
      `改了 ${reason}`
    ) : (
      '已完成'
    )
  if (kind === 'run')
    return (
      <span title={reason}>
        {runStatusText[status as keyof typeof runStatusText] ?? status}
        {reason && `：${reason}`}
      </span>
    )
  return (
    <span title={reason}>
      {status === 'running' ? `进行中，共 ${total} ${unit}` : `成功 ${success} / ${total} ${unit}`}
      {failed > 0 && <b className={`${styles.bad} ${styles.whole}`}>，失败 {failed}</b>}
    </span>
  )
}

const columns: TableColumnsType<ShiftChange> = [
  { title: '时间', dataIndex: 'time', width: 104, render: formatShortTime },
  { title: '操作人', dataIndex: 'createByName', width: 104, ellipsis: true },
  {
    title: '方式',
    dataIndex: 'origin',
    width: 88,
    render: (origin: ShiftChange['origin']) => changeOriginText[origin],
  },
  {
    title: '内容',
    dataIndex: 'title',
    ellipsis: true,
    render: (title: string, { entityId }) => <ChangeTitle title={title} entityId={entityId} />,
  },
  {
    title: '结果',
    key: 'result',
    width: 200,
    render: (_, change) => <ChangeResult {...change} />,
  },
]
