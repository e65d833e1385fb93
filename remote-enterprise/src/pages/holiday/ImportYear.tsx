import { useRequest } from 'ahooks'
import { App, Table, Tag, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { holidayApi, type Calendar, type ImportChange } from '@iot/shared/contract/calendar'
import { dayTypeText, weekdayNameOf } from '@iot/shared/contract/calendarDay'
import { quietly } from '@iot/shared/ui/batch'
import { RightModal } from '@iot/shared/ui/rightModal'
import { FailedLine, whenEmpty } from '@iot/shared/ui/usePage'

const said = (day: ImportChange['after'], otherwise: string) =>
  day ? `${dayTypeText[day.type]} ${day.name}` : otherwise

const columns: TableColumnsType<ImportChange> = [
  {
    title: '日期',
    dataIndex: 'date',
    width: 150,
    render: (date: string) => `${date} ${weekdayNameOf(date)}`,
  },
  { title: '现在', dataIndex: 'before', render: (day: ImportChange['before']) => said(day, '—') },
  {
    title: '导入后',
    dataIndex: 'after',
    render: (day: ImportChange['after'], { isKept }) =>
      isKept ? <Tag>手动设置，保留</Tag> : said(day, '不再特殊'),
  },
]

type ImportYearProps = {
  calendar: Calendar
  year: number
  onImported: () => void
  onClose: () => void
}

/** Previews the changes of the published public holidays before they are imported. */
export default function ImportYear({ calendar, year, onImported, onClose }: ImportYearProps) {
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const { data, error, loading, refresh } = useRequest(() =>
    call(holidayApi.preview, { id: calendar.id, year }, { inline: true }),
  )
  const count = data?.filter(({ isKept }) => !isKept).length ?? 0

  async function run() {
    setBusy(true)
    const answer = await call(holidayApi.importYear, { id: calendar.id, year }).catch(quietly)
    setBusy(false)
    if (!answer) return
    message.success(`已导入 ${answer.changed} 天`)
    onImported()
    onClose()
  }
  return (
    <RightModal
      open
      to={holidayApi.importYear}
      width={640}
      centered
      title={`将 ${year} 年国务院放假安排导入“${calendar.name}”`}
      okText={count > 0 ? `导入 ${count} 天` : '导入'}
      okButtonProps={{ disabled: count === 0 }}
      confirmLoading={busy}
      onOk={run}
      onCancel={onClose}
    >
      {error && <FailedLine why={error.message} hasRows={false} onRetry={refresh} />}
      <Table<ImportChange>
        size="small"
        rowKey="date"
        columns={columns}
        dataSource={data}
        loading={loading}
        pagination={false}
        scroll={{ y: 'min(360px, calc(100vh - 320px))' }}
        locale={whenEmpty(!error, '与已发布的安排一致，没有要导入的')}
      />
    </RightModal>
  )
}
