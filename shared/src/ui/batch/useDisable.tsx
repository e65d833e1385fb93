import Button from 'antd/es/button'
import { ignoreHandled } from '../../client/call'
import type { RowResults } from '../../contract/fields.schema'
import { useFeedback } from '../feedback'

export type SendBatch = (ids: string[]) => Promise<RowResults>
export type RunOptions = { isQuiet?: boolean }
type DisableOptions = {
  send: SendBatch
  undo: SendBatch
  ids?: string[]
  title?: string
  content?: string
}
/** Seconds for which a bulk change can be undone. */
const undoWindowSeconds = 15

type SendAndReport = (
  verb: string,
  send: SendBatch,
  ids?: string[],
  options?: RunOptions,
) => Promise<RowResults>

/** Disables rows after a confirmation with their number; the undo enables the rows that this call disabled. */
export function useDisable(
  sendAndReport: SendAndReport,
  selectedIds: string[],
  selectedText: string,
) {
  const { modal, message } = useFeedback()
  return ({ send, undo, ids = selectedIds, title, content }: DisableOptions) => {
    const key = `disabled ${ids.join()}`
    async function disableUndoably() {
      const rows = await sendAndReport('禁用', send, ids, { isQuiet: true })
      const changedIds = rows
        .filter(({ changed: wasChanged = true, ok }) => ok && wasChanged)
        .map(({ id }) => id)
      if (changedIds.length > 0) offerUndo(changedIds)
    }
    function offerUndo(changedIds: string[]) {
      const enableAgain = () => {
        message.destroy(key)
        sendAndReport('恢复启用', undo, changedIds).catch(ignoreHandled)
      }
      const content = (
        <>
          已禁用 {changedIds.length} 条
          <Button type="link" size="small" onClick={enableAgain}>
            撤销
          </Button>
        </>
      )
      message.open({ key, type: 'success', duration: undoWindowSeconds, content })
    }
    return modal.confirm({
      title: title ?? `禁用${ids === selectedIds ? selectedText : `选中的 ${ids.length} 条`}？`,
      content,
      okText: '禁用',
      okButtonProps: { danger: true },
      onOk: disableUndoably,
    })
  }
}
