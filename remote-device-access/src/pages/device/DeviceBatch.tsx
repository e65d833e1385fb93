import { useState } from 'react'
import { call, ignoreHandled } from '@iot/shared/client/call'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { BatchActions, type useBatch } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import type { SecretsReplacement } from './ReplacedSecretsDialog'
import { useDeviceActions } from './useDeviceActions'

const ReplacedSecretsDialog = lazyDialog(() => import('./ReplacedSecretsDialog'))

const { changeProduct, exportRows, move, removeMany, replaceSecrets, setStatus } = managedDeviceApi

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
  const { confirm: confirmReplaceSecrets, replacement, close } = useSecretsReplacement(batch)
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
            onClick: () => actions.disable(`选中的 ${batch.selected.length} 台设备`),
          },
          ...(onMove ? [{ label: '移动', to: move, onClick: onMove }] : []),
          ...(onChangeProduct
            ? [{ label: '更换产品', to: changeProduct, onClick: onChangeProduct }]
            : []),
          { label: '更换密钥', to: replaceSecrets, onClick: confirmReplaceSecrets },
          {
            label: '删除',
            to: removeMany,
            danger: true,
            onClick: () => batch.confirmRun('删除', (ids) => call(removeMany, { ids })),
          },
        ]}
      />
      {replacement && <ReplacedSecretsDialog {...replacement} onClose={close} />}
    </>
  )
}

/** Replaces the secrets of the selected devices by one task, after a warning. */
function useSecretsReplacement({ selected: selectedIds, findOutdated }: BatchState) {
  const { modal } = useFeedback()
  const [replacement, setReplacement] = useState<SecretsReplacement>()
  async function replaceSelected() {
    const outdatedRows = await findOutdated(selectedIds)
    const outdatedIds = new Set(outdatedRows.map(({ id }) => id))
    const ids = selectedIds.filter((id) => !outdatedIds.has(id))
    const task = ids.length > 0 ? await call(replaceSecrets, { ids }) : undefined
    setReplacement({ task, outdatedRows })
  }
  const confirm = () =>
    modal.confirm({
      title: `更换选中的 ${selectedIds.length} 台设备的密钥？`,
      content:
        '旧密钥立即失效，连接断开，设备要换上新密钥才能再连上。新密钥在一个只能下载一次的文件里。',
      okText: '更换',
      okButtonProps: { danger: true },
      onOk: () => replaceSelected().catch(ignoreHandled),
    })
  return { confirm, replacement, close: () => setReplacement(undefined) }
}
