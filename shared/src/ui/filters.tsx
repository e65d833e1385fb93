import { Button, Form, Space } from 'antd'
import { useEffect, type ReactNode } from 'react'

type FiltersProps = {
  filters: Record<string, string>
  search: (filters: Record<string, string | undefined>) => void
  children: ReactNode
}

/**
 * The filters above a list. They show what the address says, also after Back.
 * @example <Filters filters={filters} search={search}><Form.Item name="name" label="名称"><Input allowClear /></Form.Item></Filters>
 */
export function Filters({ filters, search, children }: FiltersProps) {
  const [form] = Form.useForm<Record<string, string | undefined>>()
  const shown = JSON.stringify(filters)
  useEffect(() => {
    form.resetFields()
    form.setFieldsValue(JSON.parse(shown) as Record<string, string>)
  }, [form, shown])

  return (
    <Form
      form={form}
      name="filters"
      layout="inline"
      onFinish={search}
      style={{ rowGap: 12 }}
      role="search"
    >
      {children}
      <Space>
        <Button htmlType="submit">查询</Button>
        <Button type="text" onClick={() => search({})}>
          重置
        </Button>
      </Space>
    </Form>
  )
}
