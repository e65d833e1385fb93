import { createElement } from 'react'
import { useFeedback } from '@iot/shared/ui/feedback'
import { PublishCheck } from './PublishCheck'

export type NextStatus = 'published' | 'disabled'
export const statusVerbs: Record<NextStatus, string> = { published: '发布', disabled: '停用' }
const consequences: Record<NextStatus, string> = {
  published: '发布后节点类型、认证方式、功能的标识符和类型不能再改，可以继续添加功能。',
  disabled: '停用后不能修改，也不能登记新设备；已登记的设备照常工作。',
}

/**
 * Explains the consequences before products are published or disabled. Before a single product is published, its model is
 * compared with what its devices have reported.
 */
export function useConfirmStatus() {
  const { modal } = useFeedback()
  return (status: NextStatus, subject: string, onOk: () => Promise<unknown>, productId?: string) =>
    modal.confirm({
      width: productId && status === 'published' ? 640 : undefined,
      title: `${statusVerbs[status]}${subject}？`,
      content:
        productId && status === 'published'
          ? createElement(PublishCheck, { productId, consequence: consequences[status] })
          : consequences[status],
      okText: statusVerbs[status],
      onOk,
    })
}
