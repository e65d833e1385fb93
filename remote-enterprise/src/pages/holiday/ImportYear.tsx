import useRequest from 'ahooks/es/useRequest'
import { call } from '@iot/shared/client/call'
import type { Calendar, ImportChange } from '@iot/shared/contract/project/calendar.schema'
import { holidayApi } from '@iot/shared/contract/project/calendar.api'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { ChangesTable, RefusedDays } from './ChangesTable'
import { toSeenVersions, useDaysImport } from './useDaysImport'

type ImportYearProps = {
  calendar: Calendar
  year: number
  onImported: () => void
  onClose: () => void
}

/** Previews the changes of the published public holidays before they are imported. */
export default function ImportYear({ calendar, year, onImported, onClose }: ImportYearProps) {
  const { data, error, loading, refresh } = useRequest(() =>
    call(holidayApi.preview, { id: calendar.id, year }, { inline: true }),
  )
  const changeCount = data?.filter(({ isKept }) => !isKept).length ?? 0

  const { isImporting, refusedDays, runImport } = useDaysImport({
    onImported,
    onClose,
    previewAgain: refresh,
  })
  const importHolidays = (changes: ImportChange[]) =>
    runImport(call(holidayApi.importYear, { id: calendar.id, year, seen: toSeenVersions(changes) }))
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
      onOk={() => data && importHolidays(data)}
      onCancel={onClose}
    >
      {error && <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />}
      <RefusedDays days={refusedDays} />
      <ChangesTable
        dataSource={data}
        loading={loading}
        locale={buildEmptyLocale(!error, '与已发布的安排一致，没有要导入的')}
      />
    </PermissionModal>
  )
}
