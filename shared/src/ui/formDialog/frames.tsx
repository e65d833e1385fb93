import Button from 'antd/es/button'
import Drawer from 'antd/es/drawer'
import Space from 'antd/es/space'
import type { ReactNode } from 'react'
import { DisabledWithReason } from '../right'
import { CannotSaveHint, PermissionModal } from '../rightModal'

const dialogBodyStyle = {
  maxHeight: 'calc(100vh - 200px)',
  overflowY: 'auto',
  overflowX: 'hidden',
  paddingTop: 8,
} as const

export type FrameProps = {
  title: string
  extra: ReactNode
  formId: string
  okText: string | undefined
  missingPermission: string | undefined
  /** The user may not save and has filled in nothing, so that the fields take no input. */
  isReadOnly?: boolean
  refusal: string | undefined
  isBusy: boolean
  onCancel: () => void
  children: ReactNode
}

export const DrawerFrame = ({
  title,
  extra,
  formId,
  okText,
  missingPermission,
  isReadOnly,
  refusal,
  isBusy,
  onCancel,
  children,
}: FrameProps) => (
  <Drawer
    open
    title={title}
    extra={extra}
    size={720}
    mask={{ closable: false }}
    onClose={onCancel}
    footer={
      <>
        <CannotSaveHint why={missingPermission ?? refusal} what={okText} isReadOnly={isReadOnly} />
        <Space style={{ display: 'flex', justifyContent: 'end' }}>
          <Button onClick={onCancel}>取消</Button>
          <DisabledWithReason why={missingPermission}>
            <Button type="primary" htmlType="submit" form={formId} loading={isBusy}>
              {okText ?? '保存'}
            </Button>
          </DisabledWithReason>
        </Space>
      </>
    }
  >
    {children}
  </Drawer>
)

export const ModalFrame = ({
  title,
  formId,
  okText,
  missingPermission,
  refusal,
  isBusy,
  onCancel,
  children,
}: FrameProps) => (
  <PermissionModal
    open
    unless={missingPermission}
    refusal={refusal}
    title={title}
    width={560}
    style={{ top: 40 }}
    mask={{ closable: false }}
    okText={okText ?? '保存'}
    okButtonProps={{ htmlType: 'submit', form: formId }}
    confirmLoading={isBusy}
    onCancel={onCancel}
    styles={{ body: dialogBodyStyle }}
  >
    {children}
  </PermissionModal>
)
