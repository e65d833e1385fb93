import useRequest from 'ahooks/es/useRequest'
import { call } from '@iot/shared/client/call'
import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import { formatValue } from '@iot/shared/ui/field'

/** Shows how many records per product exceeded the limit; it reads again together with the list. */
export function DroppedRecordsNote({
  projectId,
  with: refreshKey,
}: {
  projectId: number
  with: unknown
}) {
  const { data, error } = useRequest(
    () => call(registrationRecordApi.dropped, { projectId }, { quiet: true }),
    { ready: projectId > 0, refreshDeps: [refreshKey] },
  )
  if (error) return '；没有读到丢弃了多少条'
  return data?.map(
    ({ productName, count, lastTime }) =>
      `；“${productName}”因过多已丢弃 ${count} 条，最近 ${formatValue(lastTime)}`,
  )
}
