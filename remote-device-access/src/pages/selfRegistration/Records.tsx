import { App, Button, Flex, Input, Table, Tag } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { optionsOf } from '@iot/shared/contract/options'
import {
  recordDays,
  recordsKept,
  refusalDays,
  refusalsKept,
  RegistrationRecord,
  registrationRecordApi,
  type RegistrationState,
  registrationStateText,
  wayText,
} from '@iot/shared/contract/registration'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { asCode, column, shown } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { Export } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Right, RowActions } from '@iot/shared/ui/right'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { useNoProject } from '../device/useNoProject'
import { Dropped } from './Dropped'

const ApproveForm = lazyPart(() => import('./ApproveForm'))
const { approve, reject: refuse, removeMany, exportRows } = registrationRecordApi
const states = optionsOf(registrationStateText)
const colors = { pending: 'processing', conflict: 'error' } as Record<RegistrationState, string>
const isDecided = ({ state }: RegistrationRecord) =>
  (state === 'done' || state === 'approved') && '已经注册'

/** Lists unknown serial numbers seen in the current project, for approval or rejection. */
export default function Records() {
  const { modal } = App.useApp()
  const projectId = useAtomValue(currentProjectIdAtom)
  const project = useAtomValue(projectsAtom).find(({ id }) => id === projectId)
  const { filters, input, search, refresh, sortable, ...list } = usePage(
    registrationRecordApi.page,
    {
      empty: '当前项目还没有序列号出现过；设备按规则注册，或网关发现它以后，会列在这里',
      within: { projectId },
      unless: useNoProject(),
    },
  )
  const batch = useBatch(refresh)
  const [deciding, setDeciding] = useState<RegistrationRecord>()

  const reject = (ids: string[]) => {
    let reason = ''
    modal.confirm({
      title: ids.length === 1 ? '拒绝这个序列号？' : `拒绝选中的 ${ids.length} 个序列号？`,
      content: (
        <Input
          aria-label="原因"
          placeholder="原因（可不填）"
          maxLength={200}
          onChange={({ target }) => (reason = target.value)}
        />
      ),
      okText: '拒绝',
      okButtonProps: { danger: true },
      onOk: () => batch.run('拒绝', (ids) => call(refuse, { ids, projectId, reason }), ids),
    })
  }

  const { columns, size, scroll, chooser } = useColumns<RegistrationRecord>(
    'registrationRecord',
    [
      {
        ...column(RegistrationRecord, 'deviceName'),
        ...sortable('deviceName'),
        width: 126,
        ellipsis: true,
        render: asCode,
      },
      { ...column(RegistrationRecord, 'productName'), width: 108, ellipsis: true },
      { ...column(RegistrationRecord, 'gatewayName'), width: 100, ellipsis: true },
      { ...column(RegistrationRecord, 'way'), width: 94, render: (_, { way }) => wayText[way] },
      {
        ...column(RegistrationRecord, 'state'),
        width: 84,
        render: (state: RegistrationState) =>
          colors[state] ? (
            <Tag color={colors[state]}>{registrationStateText[state]}</Tag>
          ) : (
            registrationStateText[state]
          ),
      },
      // The reason is not truncated, because the decision depends on it.
      { ...column(RegistrationRecord, 'reason'), width: 170 },
      { ...column(RegistrationRecord, 'address'), width: 120, ellipsis: true },
      { ...column(RegistrationRecord, 'count'), ...sortable('count'), width: 76, align: 'right' },
      { ...column(RegistrationRecord, 'lastTime'), ...sortable('lastTime'), width: 160 },
      {
        title: <>操作</>,
        width: 94,
        fixed: 'right',
        render: (_, row) => (
          <RowActions
            name={row.deviceName}
            more={[
              {
                label: '拒绝',
                to: refuse,
                unless: isDecided(row),
                danger: true,
                onClick: () => reject([row.id]),
              },
            ]}
          >
            <Right to={approve} unless={isDecided(row)}>
              <Button type="link" size="small" onClick={() => setDeciding(row)}>
                {row.state === 'conflict' ? '处理' : '通过'}
              </Button>
            </Right>
          </RowActions>
        ),
      },
    ],
    ['address', 'count'],
  )

  return (
    <Flex vertical gap={12}>
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('deviceName', '序列号', 160),
              choiceFilter('state', '状态', states, 100),
            ]}
          />
        }
        batch={
          <BatchActions
            batch={batch}
            exporting={{ from: exportRows, within: { projectId } }}
            of={[
              { label: '拒绝', to: refuse, onClick: () => reject(batch.selected) },
              {
                label: '删除',
                to: removeMany,
                danger: true,
                onClick: () =>
                  batch.confirmRun('删除', (ids) => call(removeMany, { ids, projectId })),
              },
            ]}
          />
        }
      >
        <span style={{ color: 'var(--ant-color-text-secondary)' }}>
          当前项目：{shown(project?.fullname ?? project?.name)}
        </span>
        {chooser}
        <Export from={exportRows} input={input} />
      </Toolbar>
      <span style={{ color: 'var(--ant-color-text-secondary)' }}>
        {`每个产品，没有人处理过的记录保留最近 ${recordsKept} 条、${recordDays} 天，被人拒绝的 ${refusalsKept} 条、${refusalDays} 天`}
        <Dropped key={projectId} projectId={projectId} with={list.table.dataSource} />
      </span>
      <Table<RegistrationRecord>
        size={size}
        columns={columns}
        rowSelection={{
          ...batch.selection,
          getCheckboxProps: ({ deviceName }) => ({ 'aria-label': `选择“${deviceName}”` }),
        }}
        expandable={{
          rowExpandable: ({ payload }) => payload !== null,
          expandedRowRender: ({ payload }) => (
            <>
              首次报文（不含签名）
              <pre style={{ margin: 0 }}>{JSON.stringify(payload, null, 2)}</pre>
            </>
          ),
        }}
        {...list.table}
        scroll={scroll}
      />
      {deciding && (
        <ApproveForm
          record={deciding}
          projectId={projectId}
          onSaved={refresh}
          onClose={() => setDeciding(undefined)}
        />
      )}
    </Flex>
  )
}
