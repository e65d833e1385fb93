import { Alert, Modal, Space, type ModalProps } from 'antd'
import { Because, useRefusal, type Asked } from './right'

type CannotSaveProps = { why: string | undefined; what?: string }

/** Shows next to the button why a form cannot be saved and that the input is kept, without moving the fields. */
export const CannotSave = ({ why, what = '保存' }: CannotSaveProps) =>
  why && (
    <Alert
      type="warning"
      showIcon
      style={{ marginBlockEnd: 12, textAlign: 'start' }}
      title={`${why}，不能${what}；已填写的内容仍在`}
    />
  )

type RightModalProps = Omit<ModalProps, 'footer'> & {
  /** The call that the dialog makes. */
  to?: Asked
  /** Why it cannot be made, where no call says it. */
  unless?: string | false
  /** Reason of the last refusal by the server; the user may try again. */
  refusal?: string
}

/**
 * A dialog that makes a call. While the permission is missing, even if it is revoked later, its button is disabled with
 * the reason, and the input is kept.
 * @example <RightModal open to={spaceApi.moveMany} title="移动" okText="移动" onOk={move} onCancel={onClose}>…</RightModal>
 */
export function RightModal({ to, unless, refusal, children, ...modal }: RightModalProps) {
  const why = useRefusal()(to, unless)
  const { okButtonProps, okText } = modal
  // The verb is the first word of a text such as 复制 3 个.
  const what = typeof okText === 'string' ? okText.split(' ')[0] : undefined
  return (
    <Modal
      {...modal}
      okButtonProps={{ ...okButtonProps, disabled: !!why || okButtonProps?.disabled }}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          <CannotSave why={why ?? refusal} what={what} />
          <Space>
            <CancelBtn />
            <Because why={why}>
              <OkBtn />
            </Because>
          </Space>
        </>
      )}
    >
      {children}
    </Modal>
  )
}
