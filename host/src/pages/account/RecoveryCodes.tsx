import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import * as styles from './account.module.css'

type RecoveryCodesProps = { codes: string[]; onStored: () => void }

/** Shows recovery codes, which are one-time secrets and cannot be read again. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const text = codes.join('\n')
  return (
    <Flex vertical gap={16}>
      <Alert
        type="warning"
        showIcon
        title="恢复码只显示这一次"
        description="手机不在身边时，用一个恢复码代替动态验证码登录；每个只能用一次。请保存到安全的地方。"
      />
      <ol className={styles.codes} aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <Flex gap={8} justify="space-between" wrap>
        <Flex gap={8} align="center">
          <Button
            icon={<DownloadOutlined />}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="恢复码.txt"
          >
            下载
          </Button>
          <Typography.Text copyable={{ text, tooltips: ['复制恢复码', '已复制'] }} />
        </Flex>
        <Button type="primary" onClick={onStored}>
          我已保存
        </Button>
      </Flex>
    </Flex>
  )
}
