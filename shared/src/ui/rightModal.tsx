import { Alert, Modal, Space, type ModalProps } from 'antd'
import type { Endpoint } from '../contract/endpoint'
import { Because, useRefusal } from './right'

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
  to?: Pick<Endpoint, 'permission' | 'title' | 'owner'>
  /** Reason why it cannot be made, if the caller knows one. */
  unless?: string | false
  /** Reason of the last refusal by the server; the user may try again. */
  refusal?: string
}
/** Stands for a dialog without a call, whose reason the caller supplies. */
const free = { permission: 'public', title: '' } as const

/**
 * A dialog that makes a call. While the permission is missing, even if it is revoked later, its button is disabled with
 * the reason, and the input is kept.
 * @example <RightModal open to={spaceApi.moveMany} title="移动" okText="移动" onOk={move} onCancel={onClose}>…</RightModal>
 */
export function RightModal({ to, unless, refusal, children, ...modal }: RightModalProps) {
  const why = useRefusal()(to ?? free, unless)
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
