import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import type { ReactNode } from 'react'
import { CallError } from '@iot/shared/client/call'
import { responseCodes, type FieldErrors } from '@iot/shared/contract/endpoint'
import { DisableInput } from '@iot/shared/contract/access/secondFactor.schema'
import { field } from '@iot/shared/ui/field'

type Proof = { password: string; code: string }
type ProofFormProps<A> = {
  asks: (keyof Proof)[]
  submitText: string
  danger?: boolean
  /** The hint is shown below the field of the code. */
  hint?: ReactNode
  send: (proof: Proof, options: { handles: number[] }) => Promise<A>
  onDone: (answer: A) => void
  onCancel: () => void
}

/** Asks for password, code or both before the second factor changes. */
export function ProofForm<A>({ asks, send, onDone, onCancel, ...labels }: ProofFormProps<A>) {
  const [form] = Form.useForm<Proof>()
  const { run, loading } = useRequest(
    (proof: Proof) => send(proof, { handles: [responseCodes.fields] }),
    {
      manual: true,
      onSuccess: onDone,
      onError(error) {
        if (!(error instanceof CallError) || error.code !== responseCodes.fields) return
        const fieldErrors = Object.entries((error.data as FieldErrors).fields)
        form.setFields(
          fieldErrors.map(([name, text]) => ({ name: name as keyof Proof, errors: [text] })),
        )
        form.focusField(fieldErrors[0]![0] as keyof Proof)
      },
    },
  )
  return (
    <Form<Proof> form={form} layout="vertical" requiredMark={false} onFinish={run}>
      {asks.includes('password') && (
        <Form.Item {...field(DisableInput, 'password')} validateTrigger="onSubmit">
          <Input.Password autoFocus autoComplete="current-password" />
        </Form.Item>
      )}
      {asks.includes('code') && (
        <Form.Item
          {...field(DisableInput, 'code')}
          validateTrigger="onSubmit"
          extra={labels.hint ?? '身份验证器里的 6 位数字，或一个恢复码'}
        >
          <Input
            autoFocus={asks.length === 1}
            autoComplete="one-time-code"
            inputMode={asks.length === 1 ? 'numeric' : undefined}
          />
        </Form.Item>
      )}
      <Flex gap={8} justify="end">
        <Button onClick={onCancel}>取消</Button>
        <Button type="primary" danger={labels.danger} htmlType="submit" loading={loading}>
          {labels.submitText}
        </Button>
      </Flex>
    </Form>
  )
}
