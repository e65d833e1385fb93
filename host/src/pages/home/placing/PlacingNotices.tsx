import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import { Link } from 'react-router-dom'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { formatPageTime } from '@iot/shared/client/zone'
import type { useSavePositions } from './useSavePositions'

type PlacingNoticesProps = {
  data: FloorDevices
  failure?: string
  readOnly?: string
  isDirty: boolean
  saving: ReturnType<typeof useSavePositions>
  /** The restored changes were stored at this time in ms. */
  restored?: number
  onRefresh: () => void
  onSelect: (ids: Iterable<string>) => void
  onDiscard: () => void
}

/** Shows notices above the floor: missing permission, failed read, unsaved or restored changes, and missing data. */
export function PlacingNotices({
  data,
  failure,
  readOnly,
  isDirty,
  saving,
  restored,
  ...callbacks
}: PlacingNoticesProps) {
  const { onRefresh, onSelect, onDiscard } = callbacks
  const { save, isSaving, saveError, refused: refusedDevices, failed, closeRefused } = saving
  const { floor } = data
  const can = useCan()
  return (
    <>
      {readOnly && (
        <Alert type="info" showIcon title={`${readOnly}，只能查看；需要时请联系管理员。`} />
      )}
      {failure && <LoadErrorAlert why={failure} hasRows onRetry={onRefresh} />}
      {saveError && isDirty && (
        <Alert
          type="error"
          showIcon
          title={`没有保存，修改还在：${saveError.message}`}
          action={
            <Button size="small" loading={isSaving} onClick={save}>
              重试
            </Button>
          }
        />
      )}
      {refusedDevices.length > 0 && (
        <Alert
          type="error"
          showIcon
          closable={{ onClose: closeRefused }}
          title={`${refusedDevices.length} 台没有保存：${refusedDevices
            .slice(0, 3)
            .map(({ name, why: reason }) => `${name}${reason}`)
            .join('；')}${refusedDevices.length > 3 ? ' 等' : ''}`}
          action={
            <Button size="small" onClick={() => onSelect(failed.keys())}>
              选中它们
            </Button>
          }
        />
      )}
      {restored && isDirty && (
        <Alert
          type="info"
          showIcon
          title={`已恢复 ${formatPageTime(restored, 'M 月 D 日 HH:mm')} 未保存的摆放`}
          action={
            <Button size="small" onClick={onDiscard}>
              放弃
            </Button>
          }
        />
      )}
      {!floor.plan && (
        <Alert
          type="warning"
          showIcon
          title={
            can(spaceApi.setPlan)
              ? `${floor.name}还没有平面图。可以先按比例摆放，上传后位置不变。`
              : `${floor.name}还没有平面图，请联系管理员在“项目管理 → 空间”里上传。可以先按比例摆放。`
          }
          action={
            can(spaceApi.setPlan) &&
            data.projectRow && (
              <Link to={`${paths.system.project()}/${data.projectRow}?tab=space`}>
                <Button size="small">去上传平面图</Button>
              </Link>
            )
          }
        />
      )}
    </>
  )
}
