import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import type { ModalFuncProps } from 'antd'
import type { ReactNode } from 'react'
import { useFeedback } from './feedback'
import { openTextDraft } from './useDraft'

type ReasonQuestion = Pick<ModalFuncProps, 'title' | 'okText' | 'width'> & {
  /** Names the draft of the reason after what the action concerns. */
  draft: string
  content?: ReactNode
  placeholder: string
  maxLength: number
  /** Calls `discardReason` once the server has stored the reason; a refused call keeps the draft. */
  onOk: (reason: string, discardReason: () => void) => Promise<unknown>
}

/**
 * Returns a function that asks before a dangerous action for a reason, which may stay empty. The text is kept as a
 * draft, because the end of the session closes the question.
 * @example confirmWithReason({ draft: `rejection/${id}`, title: '拒绝？', okText: '拒绝', placeholder: '原因（可不填）', maxLength: 200, onOk: reject })
 */
export function useConfirmWithReason() {
  const { modal } = useFeedback()
  return ({ draft, content, placeholder, maxLength, onOk, ...question }: ReasonQuestion) => {
    const { text, save, discard } = openTextDraft(`reason/${draft}`)
    let reason = text
    const buildOkButton = () => ({ danger: true, disabled: reason.length > maxLength })
    const dialog = modal.confirm({
      ...question,
      content: (
        <Flex vertical gap={8}>
          {content}
          <Input
            aria-label="原因"
            placeholder={placeholder}
            count={{ show: true, max: maxLength }}
            defaultValue={reason}
            onChange={({ target }) => {
              reason = target.value
              save(reason)
              dialog.update({ okButtonProps: buildOkButton() })
            }}
          />
        </Flex>
      ),
      okButtonProps: buildOkButton(),
      onOk: () => onOk(reason, discard),
      onCancel: discard,
    })
  }
}
