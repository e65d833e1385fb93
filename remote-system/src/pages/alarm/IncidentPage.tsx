import { useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import type { AlarmIncident, IncidentStatus } from '@iot/shared/contract/alarm/incident.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { useCan } from '@iot/shared/session/can'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { isComposing } from '@iot/shared/ui/composition'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { RowLink } from '@iot/shared/ui/right'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { timeFilter } from '../log/timeFilter'
import { SeverityText } from './SeverityText'
import { incidentTitles, incidentStatusText } from '@iot/shared/contract/alarm/incident'

const NoteDialog = lazyDialog(() => import('@iot/shared/ui/noteDialog'))
const Statistics = lazyPart(
  () => import('./Statistics'),
  () => <div style={{ height: 32 }} />,
)

const statusOptions = [...toTextOptions(incidentStatusText), { value: 'all', label: '全部' }]
const toDetailPath = (id: string) => `${paths.system.alarm.incident()}/${id}`
type BulkAction = { verb: '确认' | '恢复'; ids: string[] }

/** Moves the focus within the rows, of which one is a tab stop. */
function focusSibling(
  row: HTMLElement,
  direction: 'nextElementSibling' | 'previousElementSibling',
) {
  let sibling = row[direction]
  while (sibling && !(sibling as HTMLElement).dataset.rowKey) sibling = sibling[direction]
  if (sibling) (sibling as HTMLElement).focus()
}

export function Component() {
  const can = useCan()
  const navigate = useNavigate()
  const list = usePage(incidentApi.page, { empty: '现在没有未恢复的告警' })
  const { sortable } = list
  const batch = useBatch(list)
  const [bulkAction, setBulkAction] = useState<BulkAction>()
  const [focusedId, setFocusedId] = useState<string>()
  const projects = useAtomValue(projectOptionsAtom)
  const projectChoices = projects.map(({ value, label }) => ({ value: String(value), label }))
  const rows = list.table.dataSource ?? []
  const tabStopId = rows.some(({ id }) => id === focusedId) ? focusedId : rows[0]?.id

  function onRowKey(event: KeyboardEvent<HTMLElement>, { id, status }: AlarmIncident) {
    if (isComposing() || event.target !== event.currentTarget) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowDown') focusSibling(event.currentTarget, 'nextElementSibling')
    else if (event.key === 'ArrowUp') focusSibling(event.currentTarget, 'previousElementSibling')
    else if (event.key === 'Enter') void navigate(toDetailPath(id))
    else if (event.key === 'a' && status === 'open' && can(incidentApi.acknowledge))
      void batch.run('确认', (ids) => call(incidentApi.acknowledge, { ids }), [id])
    else return
    event.preventDefault()
  }
  const columns = useColumns<AlarmIncident>('alarmIncident', [
    {
      ...column(incidentTitles, 'severity'),
      ...sortable('severity'),
      width: 84,
      render: (_, { severity }) => <SeverityText severity={severity} />,
    },
    {
      ...column(incidentTitles, 'title'),
      width: 300,
      ellipsis: true,
      render: (title: string, { id }) => (
        <RowLink to={incidentApi.get} at={toDetailPath(id)} name={title} />
      ),
    },
    {
      ...column(incidentTitles, 'status'),
      width: 90,
      render: (status: IncidentStatus) => incidentStatusText[status],
    },
    { ...column(incidentTitles, 'openedTime'), ...sortable('openedTime'), width: 152 },
    { ...column(incidentTitles, 'lastTime'), ...sortable('lastTime'), width: 152 },
    { ...column(incidentTitles, 'count'), ...sortable('count'), width: 76, align: 'right' },
    { ...column(incidentTitles, 'deviceCount'), width: 72, align: 'right' },
    { ...column(incidentTitles, 'projectName'), width: 110, ellipsis: true },
    { ...column(incidentTitles, 'place'), width: 150, ellipsis: true },
    { ...column(incidentTitles, 'assigneeName'), width: 90, ellipsis: true },
    { ...column(incidentTitles, 'ruleName'), width: 120, ellipsis: true },
  ])
  const submit = (note: string) =>
    bulkAction?.verb === '恢复'
      ? batch.run('恢复', (ids) => call(incidentApi.resolve, { ids, reason: note }), bulkAction.ids)
      : batch.run('确认', (ids) => call(incidentApi.acknowledge, { ids, note }), bulkAction?.ids)

  return (
    <Panel>
      <Statistics />
      <ListTable<AlarmIncident>
        list={{
          ...list,
          table: {
            ...list.table,
            onRow: (row) => ({
              tabIndex: row.id === tabStopId ? 0 : -1,
              'aria-keyshortcuts': 'a Enter',
              onFocus: () => setFocusedId(row.id),
              onKeyDown: (event) => onRowKey(event, row),
            }),
          },
        }}
        columns={columns}
        filters={[
          choiceFilter('status', '未恢复', statusOptions, 110),
          choiceFilter('severity', '级别', toTextOptions(severityText), 100),
          textFilter('title', '告警', 150),
          choiceFilter('projectId', '项目', projectChoices, 150),
          timeFilter,
        ]}
        selection={batch.selection}
        batchActions={
          <BatchActions
            batch={batch}
            exporting={{ from: incidentApi.exportRows }}
            of={[
              {
                label: '确认',
                to: incidentApi.acknowledge,
                onClick: () => setBulkAction({ verb: '确认', ids: batch.selected }),
              },
              {
                label: '手动恢复',
                to: incidentApi.resolve,
                onClick: () => setBulkAction({ verb: '恢复', ids: batch.selected }),
              },
            ]}
          />
        }
      >
        <ExportButton from={incidentApi.exportRows} input={list.input} />
      </ListTable>
      {bulkAction && (
        <NoteDialog
          title={`${bulkAction.verb} ${bulkAction.ids.length} 条告警`}
          okText={bulkAction.verb}
          label={bulkAction.verb === '恢复' ? '原因' : '备注'}
          isRequired={bulkAction.verb === '恢复'}
          onSubmit={submit}
          onClose={() => setBulkAction(undefined)}
        />
      )}
    </Panel>
  )
}
