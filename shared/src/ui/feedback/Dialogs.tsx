import Modal from 'antd/es/modal'
import notification from 'antd/es/notification'
import { useEffect } from 'react'
import type { DialogApis } from './lazyDialogs'

type DialogsProps = {
  onReady: (dialogs: DialogApis) => void
  /** `lazyDialog` calls it if this code does not load. */
  onClose: () => void
}

/** Hosts the context in which antd renders modals and notifications. */
export default function Dialogs({ onReady }: DialogsProps) {
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
