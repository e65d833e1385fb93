import SafetyCertificateOutlined from '@ant-design/icons/SafetyCertificateOutlined'
import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { secondFactorApi } from '@iot/shared/contract/access/secondFactor.api'
import { useFeedback } from '@iot/shared/ui/feedback'
import { formatPageTime } from '@iot/shared/client/zone'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import { EnrolmentForm } from './EnrolmentForm'
import { ProofForm } from './ProofForm'
import { RecoveryCodes } from './RecoveryCodes'

/** The page warns below this number of recovery codes, because a user who loses the phone could soon not sign in. */
const minRecoveryCodes = 3

/** Turns the authenticator app as second factor on and off, and renews it. */
export function SecondFactor() {
  const { message } = useFeedback()
  const { data, error, refresh } = useRequest(() => call(secondFactorApi.get, {}, { quiet: true }))
  const [activeForm, setActiveForm] = useState<'enrol' | 'renew' | 'disable'>()
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  const closeForm = () => setActiveForm(undefined)
  const showCodes = ({ recoveryCodes }: { recoveryCodes: string[] }) => {
    closeForm()
    setRecoveryCodes(recoveryCodes)
    refresh()
  }

  if (error) return <RetryAlert type="error" title={error.message} onRetry={refresh} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  if (recoveryCodes)
    return <RecoveryCodes codes={recoveryCodes} onStored={() => setRecoveryCodes(undefined)} />
  if (activeForm === 'enrol') return <EnrolmentForm onEnrolled={showCodes} onCancel={closeForm} />
  if (activeForm === 'renew')
    return (
      <ProofForm
        asks={['password', 'code']}
        submitText="更换恢复码"
        send={(proof, options) => call(secondFactorApi.renew, proof, options)}
        onDone={showCodes}
        onCancel={closeForm}
      />
    )
  if (activeForm === 'disable')
    return (
      <ProofForm
        asks={['password', 'code']}
        submitText="关闭两步验证"
        danger
        send={(proof, options) => call(secondFactorApi.disable, proof, options)}
        onDone={() => {
          closeForm()
          refresh()
          void message.success('两步验证已关闭')
        }}
        onCancel={closeForm}
      />
    )
  if (!data.since) return <SecondFactorOff onEnrol={() => setActiveForm('enrol')} />
  return (
    <SecondFactorOn
      since={data.since}
      recoveryLeft={data.recoveryLeft}
      onRenew={() => setActiveForm('renew')}
      onDisable={() => setActiveForm('disable')}
    />
  )
}

const SecondFactorOff = ({ onEnrol }: { onEnrol: () => void }) => (
  <Flex vertical gap={16} align="start">
    <Typography.Text type="secondary">
      开启后，登录除密码外还要输入手机上身份验证器显示的 6 位数字，密码泄露也进不来。任何支持 TOTP
      的身份验证器都可以用。
    </Typography.Text>
    <Button type="primary" icon={<SafetyCertificateOutlined />} onClick={onEnrol}>
      开启两步验证
    </Button>
  </Flex>
)

type SecondFactorOnProps = {
  since: string
  recoveryLeft: number
  onRenew: () => void
  onDisable: () => void
}

const SecondFactorOn = ({ since, recoveryLeft, onRenew, onDisable }: SecondFactorOnProps) => (
  <Flex vertical gap={16}>
    {recoveryLeft < minRecoveryCodes && (
      <Alert
        type="warning"
        showIcon
        title={
          recoveryLeft === 0
            ? '恢复码已用完，手机丢失后只能请管理员重置'
            : `恢复码只剩 ${recoveryLeft} 个，请更换`
        }
      />
    )}
    <Descriptions
      column={1}
      items={[
        { key: 'state', label: '状态', children: '已开启' },
        {
          key: 'since',
          label: '开启时间',
          children: formatPageTime(since, 'YYYY-MM-DD HH:mm'),
        },
        { key: 'left', label: '剩余恢复码', children: `${recoveryLeft} 个` },
      ]}
    />
    <Flex gap={8}>
      <Button onClick={onRenew}>更换恢复码</Button>
      <Button onClick={onDisable}>关闭两步验证</Button>
    </Flex>
  </Flex>
)
