import { useRequest } from 'ahooks'
import { App, Button, type ButtonProps } from 'antd'
import { useState } from 'react'
import { download } from '../client/call'
import { taskSecretsPath, type Task } from '../contract/task'

type TakeSecretsProps = { task: Task } & Pick<ButtonProps, 'size' | 'type'>

/** Downloads the one-time secrets of a task after a warning. */
export function TakeSecrets({ task: { id, secrets }, ...look }: TakeSecretsProps) {
  const { modal } = App.useApp()
  const [isTaken, setTaken] = useState(false)
  const { runAsync: take, loading } = useRequest(
    async (name: string) => {
      await download(taskSecretsPath(id), name)
      setTaken(true)
    },
    { manual: true, onError: () => {} },
  )
  if (!secrets || isTaken) return null
  const what = secrets.name.replace(/\.\w+$/, '')
  const isPassword = what.endsWith('密码')
  const ask = () =>
    modal.confirm({
      title: `下载${what}？`,
      content: isPassword
        ? '密码文件只能下载一次，请分别交给本人；登录后须修改。之后只能逐个重置密码。'
        : '密钥文件只能下载一次，请保存到安全的地方；之后只能逐台更换密钥。',
      okText: '下载',
      onOk: () => take(secrets.name).catch(() => {}),
    })
  return (
    <Button {...look} loading={loading} onClick={ask}>
      {isPassword ? '下载初始密码' : '下载密钥'}
    </Button>
  )
}
