import { Modal, notification } from 'antd'
import { useEffect } from 'react'

export type Dialogs = {
  modal: ReturnType<typeof Modal.useModal>[0]
  notification: ReturnType<typeof notification.useNotification>[0]
}

/** Hosts the context in which antd renders modals and notifications. */
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
