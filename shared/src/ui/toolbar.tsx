import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import type { ReactNode } from 'react'
import type { Endpoint } from '../contract/endpoint'
import { Can } from './right'

type ToolbarProps = {
  filters?: ReactNode
  /** Bulk actions; they cover the toolbar while rows are selected, so that a selection never moves the table. */
  batch?: ReactNode
  children: ReactNode
}

/**
 * The line above a list: filters on the left; columns, import, export and the primary button on the right.
 * @example <Toolbar filters={<Filters … />} batch={<BatchBar … />}>{chooser}<Button
 * type="primary">新建品牌</Button></Toolbar>
 */
export const Toolbar = ({ filters, batch, children }: ToolbarProps) => (
  <Flex justify="space-between" align="start" wrap gap="8px 16px" style={{ position: 'relative' }}>
    {/* The buttons wrap to the next line if there is no room for both. */}
    <div style={{ flex: '1 1 240px', minWidth: 0 }}>{filters}</div>
    <Space wrap>{children}</Space>
    {batch}
  </Flex>
)

type CreateButtonProps = {
  to: Pick<Endpoint, 'permission' | 'title' | 'owner'>
  unless?: string | false
  onClick: () => void
}

/** Primary button of a list, labelled with the title of its call. */
export const CreateButton = ({ to, unless: disabledReason, onClick }: CreateButtonProps) => (
  <Can to={to} unless={disabledReason}>
    <Button type="primary" icon={<PlusOutlined />} onClick={onClick}>
      {to.title}
    </Button>
  </Can>
)
