import useRequest from 'ahooks/es/useRequest'
import Tag from 'antd/es/tag'
import { call } from '@iot/shared/client/call'
import type { ActionLog } from '@iot/shared/contract/access/actionLog.schema'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { describeChanges } from '@iot/shared/ui/describeChanges'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { timeFilter } from './timeFilter'
import { actionLogTitles } from '@iot/shared/contract/access/actionLog'

const LogDetail = lazyPart(() => import('./LogDetail'))

const resultOptions = [
  { value: 'true', label: '成功' },
  { value: 'false', label: '失败' },
]
const toSelectOptions = (values?: string[]) => values?.map((value) => ({ value, label: value }))

export function Component() {
  const list = usePage(actionLogApi.page, {
    anchored: true,
    empty: '还没有操作记录；新建、修改、删除都会记在这里',
  })
  const { data: facets } = usePickerOptions(actionLogApi.facets)

  const columns = useColumns<ActionLog>(
    'actionLog',
    [
      { ...column(actionLogTitles, 'time'), ...list.sortable('time'), width: 152 },
      { ...column(actionLogTitles, 'username'), width: 84, ellipsis: true },
      { ...column(actionLogTitles, 'verb'), width: 120, ellipsis: true },
      { ...column(actionLogTitles, 'entity'), width: 76 },
      { ...column(actionLogTitles, 'entityName'), width: 164, ellipsis: true },
      {
        ...column(actionLogTitles, 'ok'),
        width: 66,
        render: (isOk: boolean) => (isOk ? '成功' : <Tag color="error">失败</Tag>),
      },
      {
        ...column(actionLogTitles, 'changes'),
        width: 250,
        ellipsis: true,
        render: (_, { changes, parts }) =>
          parts ? `${parts} 条，点开看每一条` : describeChanges(changes),
      },
      {
        ...column(actionLogTitles, 'duration'),
        ...list.sortable('duration'),
        width: 120,
        align: 'right',
      },
      { ...column(actionLogTitles, 'address'), width: 126, ellipsis: true },
    ],
    ['duration', 'address'],
  )

  return (
    <Panel>
      <ListTable<ActionLog>
        list={list}
        columns={columns}
        filters={[
          timeFilter,
          {
            names: ['spaceId'],
            title: '位置',
            shown: ({ spaceId = '' }) => <SpaceName key={spaceId} id={spaceId} />,
          },
          { names: ['entityId'], title: '编号', shown: ({ entityId }) => entityId },
          { names: ['actor'], title: '账号', shown: ({ actor }) => actor },
          textFilter('username', '用户', 90),
          choiceFilter('entity', '对象', toSelectOptions(facets?.entities), 100),
          choiceFilter('field', '修改内容', toSelectOptions(facets?.fields), 120),
          choiceFilter('ok', '结果', resultOptions, 80),
        ]}
        expandable={{
          expandRowByClick: true,
          columnWidth: 40,
          expandedRowRender: (log) => <LogDetail log={log} />,
        }}
      >
        <ExportButton from={actionLogApi.exportRows} input={list.input} />
      </ListTable>
    </Panel>
  )
}

/** A space that was deleted, or that the user may not see, is named by its id. */
function SpaceName({ id }: { id: string }) {
  const { data } = useRequest(() => call(spaceApi.get, { id }, { inline: true }))
  return data ? [data.place, data.name].filter(Boolean).join(' / ') : id
}
