import Flex from 'antd/es/flex'
import QRCode from 'antd/es/qr-code'
import Typography from 'antd/es/typography'

type ScanCodeProps = { secret: string; uri: string }

/** Shows the secret as a QR code for the phone, and as text for typing. */
export default function ScanCode({ secret, uri }: ScanCodeProps) {
  return (
    <Flex gap={16} align="center" wrap>
      {/* The QR code is dark on white in both themes, because some phones cannot read it otherwise. */}
      <div role="img" aria-label="两步验证二维码">
        <QRCode value={uri} type="svg" size={148} color="#000" bgColor="#fff" />
      </div>
      <Flex vertical gap={4} style={{ flex: '1 1 200px' }}>
        <span>用手机上的身份验证器扫码，或手工输入密钥：</span>
        <Typography.Text code copyable={{ text: secret, tooltips: ['复制密钥', '已复制'] }}>
          {secret.replace(/.{4}(?=.)/g, '$& ')}
        </Typography.Text>
        <Typography.Text type="secondary">密钥只显示这一次。</Typography.Text>
      </Flex>
    </Flex>
  )
}
