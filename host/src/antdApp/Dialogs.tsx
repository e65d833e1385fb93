import { Modal, notification } from 'antd'
import { useEffect } from 'react'

export type DialogApis = {
  modal: ReturnType<typeof Modal.useModal>[0]
  notification: ReturnType<typeof notification.useNotification>[0]
}

/** Hosts the context in which antd renders modals and notifications. */
export default function DialogsHolder({ onReady }: { onReady: (dialogs: DialogApis) => void }) {
  const [modal, modalHolder] = Modal.useModal()
  const [notificationApi, notificationHolder] = notification.useNotification()
  useEffect(
    () => onReady({ modal, notification: notificationApi }),
    [onReady, modal, notificationApi],
  )
  return (
    <>
      {modalHolder}
      {notificationHolder}
    </>
  )
}
