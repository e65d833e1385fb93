import Flex from 'antd/es/flex'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { secondFactorApi } from '@iot/shared/contract/access/secondFactor.api'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ProofForm } from './ProofForm'

// The code that draws the QR code loads only when a QR code is shown.
const ScanCode = lazyPart(() => import('./ScanCode'))

type EnrolmentFormProps = {
  onEnrolled: (answer: Output<typeof secondFactorApi.confirm>) => void
  onCancel: () => void
}

/** Enables the second factor in two steps: the password, then the code of an authenticator app that scanned the QR code. */
export function EnrolmentForm({ onEnrolled, onCancel }: EnrolmentFormProps) {
  const [enrolment, setEnrolment] = useState<Output<typeof secondFactorApi.enrol>>()
  if (!enrolment)
    return (
      <ProofForm
        asks={['password']}
        submitText="下一步"
        send={({ password }, options) => call(secondFactorApi.enrol, { password }, options)}
        onDone={setEnrolment}
        onCancel={onCancel}
      />
    )
  return (
    <Flex vertical gap={16}>
      <ScanCode {...enrolment} />
      <ProofForm
        asks={['code']}
        hint="扫码后身份验证器里显示的 6 位数字"
        submitText="开启"
        send={({ code }, options) => call(secondFactorApi.confirm, { code }, options)}
        onDone={onEnrolled}
        onCancel={() => setEnrolment(undefined)}
      />
    </Flex>
  )
}
