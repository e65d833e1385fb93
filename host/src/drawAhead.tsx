import { MenuOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Select, Space } from 'antd'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { pageMeta } from '@iot/shared/client/pageMeta'
import { Themed } from '@iot/shared/ui/theme'

/** By then the page itself holds what was made for it. */
const FOR = 20_000
const option = { value: '', label: '' }
const columns = [{ title: '', dataIndex: 'key', fixed: 'start' as const, sorter: true }]

/**
 * Draws out of sight what shell and lists begin with. antd makes the styles of a component when it is first drawn, and
 * the browser compiles its code then: a third of the time from the right password to the first row, which is spent here
 * while the password is still checked.
 */
export async function drawAhead(hasList: boolean) {
  const Table = hasList && (await import('antd/es/table')).default
  const root = createRoot(document.createElement('div'))
  flushSync(() =>
    root.render(
      <Themed nonce={pageMeta('csp-nonce')}>
        <Select options={[option]} value="" />
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
      </Themed>,
    ),
  )
  setTimeout(() => root.unmount(), FOR)
}
