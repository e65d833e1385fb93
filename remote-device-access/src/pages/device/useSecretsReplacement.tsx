import { useState } from 'react'
import { call, ignoreHandled } from '@iot/shared/client/call'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { useBatch } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import type { SecretsReplacement } from './ReplacedSecretsDialog'

const ReplacedSecretsDialog = lazyDialog(() => import('./ReplacedSecretsDialog'))
const { replaceSecrets } = managedDeviceApi

/** Returns the bulk action that replaces the secrets of the selected rows by one task, after a warning, and its dialog. */
export function useSecretsReplacement(
  { selected: selectedIds, findOutdated }: ReturnType<typeof useBatch>,
  noun: '设备' | '主机',
) {
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
      title: `更换选中的 ${selectedIds.length} 台${noun}的密钥？`,
      content: '旧密钥立即失效，连接断开，换上新密钥才能再连上。新密钥在一个只能下载一次的文件里。',
      okText: '更换',
      okButtonProps: { danger: true },
      onOk: () => replaceSelected().catch(ignoreHandled),
    })
  return {
    action: { label: '更换密钥', to: replaceSecrets, onClick: confirm },
    dialog: replacement && (
      <ReplacedSecretsDialog {...replacement} onClose={() => setReplacement(undefined)} />
    ),
  }
}
