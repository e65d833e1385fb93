import { call } from '@iot/shared/client/call'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { BatchActions, type useBatch } from '@iot/shared/ui/batch'
import { useDeviceActions } from './useDeviceActions'
import { useSecretsReplacement } from './useSecretsReplacement'

const { changeProduct, exportRows, move, removeMany, setStatus } = managedDeviceApi

type BatchState = ReturnType<typeof useBatch>
type DeviceBatchProps = {
  batch: BatchState
  projectId: number
  onMove?: () => void
  onChangeProduct?: () => void
}

/** Renders the bulk actions that all device lists share. */
export function DeviceBatch({ batch, projectId, onMove, onChangeProduct }: DeviceBatchProps) {
  const actions = useDeviceActions(batch)
  const secrets = useSecretsReplacement(batch, '设备')
  return (
    <>
      <BatchActions
        batch={batch}
        exporting={{ from: exportRows, within: { projectId } }}
        of={[
          { label: '启用', to: setStatus, onClick: () => actions.enable() },
          {
            label: '禁用',
            to: setStatus,
            onClick: () => actions.disable(batch.describeSelected('台', '设备')),
          },
          ...(onMove ? [{ label: '移动', to: move, onClick: onMove }] : []),
          ...(onChangeProduct
            ? [{ label: '更换产品', to: changeProduct, onClick: onChangeProduct }]
            : []),
          secrets.action,
          {
            label: '删除',
            to: removeMany,
            danger: true,
            onClick: () => batch.confirmRun('删除', (ids) => call(removeMany, { ids })),
          },
        ]}
      />
      {secrets.dialog}
    </>
  )
}
