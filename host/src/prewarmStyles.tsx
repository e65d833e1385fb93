import MenuOutlined from '@ant-design/icons/MenuOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import { Select } from '@iot/shared/ui/select'
import Space from 'antd/es/space'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { readPageMeta } from '@iot/shared/client/pageMeta'
import { AppThemeProvider } from '@iot/shared/ui/theme'

/** The prewarmed elements are unmounted after this time in ms, when the page itself holds the styles. */
const UNMOUNT_DELAY_MS = 20_000
const emptyOption = { value: '', label: '' }
const columns = [{ title: '', dataIndex: 'key', fixed: 'start' as const, sorter: true }]

/**
 * Prewarms the styles of shell and lists out of sight. antd creates a component's styles at its first render, and the
 * browser compiles its code then: this takes a third of the time from the accepted password to the first row, and here
 * it runs while the password is checked.
 */
export async function prewarmStyles(hasList: boolean) {
  const Table = hasList && (await import('antd/es/table')).default
  const root = createRoot(document.createElement('div'))
  flushSync(() =>
    root.render(
      <AppThemeProvider nonce={readPageMeta('csp-nonce')}>
        <Select options={[emptyOption]} value="" />
        <Button type="text" icon={<MenuOutlined />} />
        <Button type="primary" />
        {Table && (
          <>
            <Flex>
              <Space>
                <Input allowClear />
              </Space>
            </Flex>
            <Table
              size="middle"
              columns={columns}
              dataSource={[{ key: 'a' }]}
              rowSelection={{}}
              scroll={{ x: 'max-content' }}
              pagination={{ total: 100, showSizeChanger: true }}
            />
          </>
        )}
      </AppThemeProvider>,
    ),
  )
  setTimeout(() => root.unmount(), UNMOUNT_DELAY_MS)
}
