import { App } from 'antd'

export type NextStatus = 'published' | 'disabled'
export const verbs: Record<NextStatus, string> = { published: '发布', disabled: '停用' }
const means: Record<NextStatus, string> = {
  published: '发布后节点类型、认证方式、功能的标识符和类型不能再改，可以继续添加功能。',
  disabled: '停用后不能修改，也不能登记新设备；已登记的设备照常工作。',
}

/** Explains the consequences before products are published or disabled. */
export function useConfirmStatus() {
  const { modal } = App.useApp()
  return (status: NextStatus, what: string, onOk: () => Promise<unknown>) =>
    modal.confirm({
      title: `${verbs[status]}${what}？`,
      content: means[status],
      okText: verbs[status],
      onOk,
    })
}
