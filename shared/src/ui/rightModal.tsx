import Alert from 'antd/es/alert'
import Modal from 'antd/es/modal'
import Space from 'antd/es/space'
import type { ModalProps } from 'antd'
import { DisabledWithReason, useRefusalReason, type GuardedCall } from './right'

type CannotSaveHintProps = {
  why: string | undefined
  what?: string
  /** Nothing was filled in, and nothing can be. */
  isReadOnly?: boolean
}

/** Shows next to the button why a form cannot be saved and that the input is kept, without moving the fields. */
export const CannotSaveHint = ({
  why: reason,
  what: actionName = '保存',
  isReadOnly = false,
}: CannotSaveHintProps) =>
  reason && (
    <Alert
      type={isReadOnly ? 'info' : 'warning'}
      showIcon
      style={{ marginBlockEnd: 12, textAlign: 'start' }}
      title={isReadOnly ? `${reason}，只能查看` : `${reason}，不能${actionName}；已填写的内容仍在`}
    />
  )

type PermissionModalProps = Omit<ModalProps, 'footer'> & {
  /** The call that the dialog makes. */
  to?: GuardedCall
  /** Why it cannot be made, where no call says it. */
  unless?: string | false
  /** Reason of the last refusal by the server; the user may try again. */
  refusal?: string
}

/**
 * A dialog that makes a call. While the permission is missing, even if it is revoked later, its button is disabled with
 * the reason, and the input is kept.
 * @example <PermissionModal open to={spaceApi.moveMany} title="移动" okText="移动" onOk={move} onCancel={onClose}>…</PermissionModal>
 */
export function PermissionModal({
  to,
  unless: recordReason,
  refusal,
  children,
  ...modal
}: PermissionModalProps) {
  const reason = useRefusalReason()(to, recordReason)
  const { okButtonProps, okText } = modal
  // The verb is the first word of a text such as 复制 3 个.
  const actionName = typeof okText === 'string' ? okText.split(' ')[0] : undefined
  return (
    <Modal
      {...modal}
      okButtonProps={{ ...okButtonProps, disabled: !!reason || okButtonProps?.disabled }}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          <CannotSaveHint why={reason ?? refusal} what={actionName} />
          <Space>
            <CancelBtn />
            <DisabledWithReason why={reason}>
              <OkBtn />
            </DisabledWithReason>
          </Space>
        </>
      )}
    >
      {children}
    </Modal>
  )
}

/** @deprecated Use {@link CannotSaveHint}; kept for remotes that were built before. */
export const CannotSave = CannotSaveHint

/** @deprecated Use {@link PermissionModal}; kept for remotes that were built before. */
export const RightModal = PermissionModal
