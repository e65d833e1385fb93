import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Skeleton from 'antd/es/skeleton'
import type { SelectProps } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import type { GuardedCall } from '@iot/shared/ui/right'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { Select } from '@iot/shared/ui/select'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

type CheckedChoiceModalProps<T> = {
  to: GuardedCall
  title: string
  label: string
  placeholder: string
  selectProps: SelectProps<string>
  /** Reads what the choice would mean. */
  runCheck: (choice: string) => Promise<T>
  /** Shows the check of the choice. */
  renderCheck: (check: T) => ReactNode
  /** The check allows the change. */
  isAllowed: (check: T) => boolean
  /** The check is absent before a choice and while it runs. */
  formatOkText: (check?: T) => string
  isDanger?: boolean
  isSaving?: boolean
  onSubmit: (choice: string, check: T) => void
  onClose: () => void
}

/** Asks for a choice and offers the change only after it has shown what the choice would mean. */
export function CheckedChoiceModal<T>({
  to,
  title,
  label,
  placeholder,
  selectProps,
  runCheck,
  renderCheck,
  isAllowed,
  formatOkText,
  isDanger = false,
  isSaving = false,
  onSubmit,
  onClose,
}: CheckedChoiceModalProps<T>) {
  const fieldId = useId()
  const [choice, setChoice] = useState<string>()
  const { data, error, loading, refresh } = useRequest(() => runCheck(choice!), {
    ready: choice !== undefined,
    refreshDeps: [choice],
  })
  // Until the check of another choice is there, that of the former one must not stand beside it.
  const check = choice !== undefined && !error && !loading ? data : undefined
  return (
    <PermissionModal
      open
      to={to}
      title={title}
      okText={formatOkText(check)}
      okButtonProps={{ danger: isDanger, disabled: check === undefined || !isAllowed(check) }}
      confirmLoading={isSaving}
      onOk={() => onSubmit(choice!, check!)}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Form.Item label={label} htmlFor={fieldId} style={{ margin: 0 }}>
          <Select<string>
            id={fieldId}
            placeholder={placeholder}
            showSearch={{ optionFilterProp: 'label' }}
            {...selectProps}
            value={choice}
            onChange={setChoice}
          />
        </Form.Item>
        {choice !== undefined && error && (
          <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
        )}
        {choice !== undefined && check === undefined && !error && (
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        )}
        {check !== undefined && renderCheck(check)}
      </Flex>
    </PermissionModal>
  )
}
