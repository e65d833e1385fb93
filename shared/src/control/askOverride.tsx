import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import type { CallError } from '../client/call'
import type { SetRequestOverride } from '../contract/control/control.schema'
import type { useFeedback } from '../ui/feedback'

/** Data of the refusal of a direct command to a held device. */
type HeldAnswer = { reason: string; isOnlyThis: boolean }

/**
 * Asks what to do with the override of a held device.
 * @returns undefined if the device stays as it is
 */
export const askOverride = (
  modal: ReturnType<typeof useFeedback>['modal'],
  { message, data }: CallError,
) =>
  new Promise<SetRequestOverride | undefined>((resolve) => {
    const { reason, isOnlyThis } = data as HeldAnswer
    const answer = (choice?: SetRequestOverride) => () => {
      question.destroy()
      resolve(choice)
    }
    const question = modal.confirm({
      title: message,
      content: (
        <>
          {reason && <p>原因：{reason}</p>}
          <p>
            {isOnlyThis
              ? '解除后，场景和批量操作会再控制这盏灯。'
              : '它和别的灯一起被保持，解除对它们也有效。'}
          </p>
        </>
      ),
      onCancel: () => resolve(undefined),
      footer: (
        <Flex justify="end" gap={8} wrap style={{ marginTop: 12 }}>
          <Button onClick={answer()}>取消</Button>
          <Button onClick={answer('end')}>解除保持并执行</Button>
          <Button type="primary" onClick={answer('bypass')}>
            只执行这一次
          </Button>
        </Flex>
      ),
    })
  })
