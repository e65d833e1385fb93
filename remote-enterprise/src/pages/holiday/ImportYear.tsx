import useRequest from 'ahooks/es/useRequest'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { Calendar } from '@iot/shared/contract/project/calendar.schema'
import { holidayApi } from '@iot/shared/contract/project/calendar.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { ChangesTable } from './ChangesTable'

type ImportYearProps = {
  calendar: Calendar
  year: number
  onImported: () => void
  onClose: () => void
}

/** Previews the changes of the published public holidays before they are imported. */
export default function ImportYear({ calendar, year, onImported, onClose }: ImportYearProps) {
  const { message } = useFeedback()
  const [isImporting, setImporting] = useState(false)
  const { data, error, loading, refresh } = useRequest(() =>
    call(holidayApi.preview, { id: calendar.id, year }, { inline: true }),
  )
  const changeCount = data?.filter(({ isKept }) => !isKept).length ?? 0

  async function importHolidays() {
    setImporting(true)
    const importResult = await call(holidayApi.importYear, { id: calendar.id, year }).catch(
      ignoreHandled,
    )
    setImporting(false)
    if (!importResult) return
    message.success(`已导入 ${importResult.changed} 天`)
    onImported()
    onClose()
  }
  return (
    <PermissionModal
      open
      to={holidayApi.importYear}
      width={640}
      centered
      title={`将 ${year} 年国务院放假安排导入“${calendar.name}”`}
      okText={changeCount > 0 ? `导入 ${changeCount} 天` : '导入'}
      okButtonProps={{ disabled: changeCount === 0 }}
      confirmLoading={isImporting}
      onOk={importHolidays}
      onCancel={onClose}
    >
      {error && <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />}
      <ChangesTable
        dataSource={data}
        loading={loading}
        locale={buildEmptyLocale(!error, '与已发布的安排一致，没有要导入的')}
      />
    </PermissionModal>
  )
}
