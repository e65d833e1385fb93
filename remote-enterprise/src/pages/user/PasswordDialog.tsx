import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Modal from 'antd/es/modal'
import Typography from 'antd/es/typography'

type PasswordDialogProps = { username: string; password: string; onClose: () => void }

/** Shows a generated password, which is a one-time secret. */
export default function PasswordDialog({ username, password, onClose }: PasswordDialogProps) {
  return (
    <Modal
      open
      title="请记下密码"
      width={440}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          我已记下
        </Button>
      }
    >
      <Flex vertical gap={16}>
        <Alert type="warning" showIcon title="密码只显示这一次，登录后须修改" />
        <Descriptions
          column={1}
          bordered
          size="small"
          items={[
            {
              key: 'username',
              label: '账号',
              children: <Typography.Text copyable>{username}</Typography.Text>,
            },
            {
              key: 'password',
              label: '密码',
              children: (
                <Typography.Text
                  code
                  copyable={{ text: password, tooltips: ['复制密码', '已复制'] }}
                >
                  {password}
                </Typography.Text>
              ),
            },
          ]}
        />
      </Flex>
    </Modal>
  )
}
