import { Flex, Space } from 'antd'
import type { ReactNode } from 'react'

type ToolbarProps = {
  filters?: ReactNode
  /** Lies over the rest while rows are ticked, so that ticking one never moves the table. */
  batch?: ReactNode
  children: ReactNode
}

/**
 * The line above a list: filters on the left; on the right columns, import and export, and the one primary button.
 * @example <Toolbar filters={<Filters … />} batch={<BatchBar … />}>{chooser}<Button type="primary">新建品牌</Button></Toolbar>
 */
export const Toolbar = ({ filters, batch, children }: ToolbarProps) => (
  <Flex justify="space-between" align="start" gap={16} style={{ position: 'relative' }}>
    <div style={{ flex: 1, minWidth: 0 }}>{filters}</div>
    <Space>{children}</Space>
    {batch}
  </Flex>
)
