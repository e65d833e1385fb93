import { Alert, Modal, Space, type ModalProps } from 'antd'
import { Because, useRefusal, type Asked } from './right'

type CannotSaveProps = { why: string | undefined; what?: string }

/** Says beside the button why a form cannot be saved, where no field moves for it, and that nothing is lost. */
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
  /** Why the platform refused it just now; it may be tried again. */
  refusal?: string
}

/**
 * A dialog that makes a call. While the right is missing, also when it is taken while the dialog is open, its button is
 * disabled and says why, and what was filled in stays.
 * @example <RightModal open to={spaceApi.moveMany} title="移动" okText="移动" onOk={move} onCancel={onClose}>…</RightModal>
 */
export function RightModal({ to, unless, refusal, children, ...modal }: RightModalProps) {
  const why = useRefusal()(to, unless)
  const { okButtonProps, okText } = modal
  // A button such as “复制 3 个” gives its verb.
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
