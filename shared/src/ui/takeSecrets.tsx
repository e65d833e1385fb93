import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import type { ButtonProps } from 'antd'
import { useState } from 'react'
import { download } from '../client/call'
import { taskSecretsPath } from '../contract/sheet/task'
import type { Task } from '../contract/sheet/task.schema'
import { useFeedback } from './feedback'

type DownloadSecretsProps = { task: Task } & Pick<ButtonProps, 'size' | 'type'>

/** Downloads the one-time secrets of a task after a warning. */
export function DownloadSecrets({ task: { id, secrets }, ...buttonProps }: DownloadSecretsProps) {
  const { modal } = useFeedback()
  const [isDownloaded, setDownloaded] = useState(false)
  const { runAsync: downloadSecrets, loading } = useRequest(
    async (name: string) => {
      await download(taskSecretsPath(id), name)
      setDownloaded(true)
    },
    { manual: true, onError: () => {} },
  )
  if (!secrets || isDownloaded) return null
  const fileLabel = secrets.name.replace(/\.\w+$/, '')
  const isPassword = fileLabel.endsWith('密码')
  const confirmDownload = () =>
    modal.confirm({
      title: `下载${fileLabel}？`,
      content: isPassword
        ? '密码文件只能下载一次，请分别交给本人；登录后须修改。之后只能逐个重置密码。'
        : '密钥文件只能下载一次，请保存到安全的地方；之后只能更换密钥。',
      okText: '下载',
      onOk: () => downloadSecrets(secrets.name).catch(() => {}),
    })
  return (
    <Button {...buttonProps} loading={loading} onClick={confirmDownload}>
      {isPassword ? '下载初始密码' : '下载密钥'}
    </Button>
  )
}

/** @deprecated Use {@link DownloadSecrets}; kept for remotes that were built before. */
export const TakeSecrets = DownloadSecrets
