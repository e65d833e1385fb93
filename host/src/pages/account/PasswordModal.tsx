import { App, Modal } from 'antd'
import { PasswordForm } from './PasswordForm'

export default function PasswordModal({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp()
  const done = () => {
    void message.success('密码已修改')
    onClose()
  }
  return (
    <Modal open title="修改密码" footer={null} width={400} onCancel={onClose}>
      <PasswordForm submitText="保存" onChanged={done} />
    </Modal>
  )
}
