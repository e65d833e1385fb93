import { message, Modal, notification } from 'antd'
import type { ConfigOptions } from 'antd/es/message/interface'
import { useEffect } from 'react'

export type Dialogs = {
  message: ReturnType<typeof message.useMessage>[0]
  modal: ReturnType<typeof Modal.useModal>[0]
  notification: ReturnType<typeof notification.useNotification>[0]
}

type HolderProps = { message?: ConfigOptions | undefined; onReady: (dialogs: Dialogs) => void }

/** Where antd draws what was asked or told. */
export default function DialogsHolder({ message: settings, onReady }: HolderProps) {
  const [words, wordsHolder] = message.useMessage(settings)
  const [modal, modalHolder] = Modal.useModal()
  const [notices, noticesHolder] = notification.useNotification()
  useEffect(
    () => onReady({ message: words, modal, notification: notices }),
    [onReady, words, modal, notices],
  )
  return (
    <>
      {wordsHolder}
      {modalHolder}
      {noticesHolder}
    </>
  )
}
