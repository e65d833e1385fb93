import { Modal, notification } from 'antd'
import { useEffect } from 'react'

export type Dialogs = {
  modal: ReturnType<typeof Modal.useModal>[0]
  notification: ReturnType<typeof notification.useNotification>[0]
}

/** Where antd draws what was asked or told. */
export default function DialogsHolder({ onReady }: { onReady: (dialogs: Dialogs) => void }) {
  const [modal, modalHolder] = Modal.useModal()
  const [notices, noticesHolder] = notification.useNotification()
  useEffect(() => onReady({ modal, notification: notices }), [onReady, modal, notices])
  return (
    <>
      {modalHolder}
      {noticesHolder}
    </>
  )
}
