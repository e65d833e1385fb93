import { Button, ConfigProvider, Form, Input, Layout, Menu, Select, Space, Table } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

type Row = Record<string, unknown> & { id: string }
type Credentials = { username: string; password: string }

const lists = {
  manufacturer: {
    label: '厂商管理',
    filters: ['厂商名称', '厂商编码'],
    choices: ['所在地区', '状态'],
    actions: ['导入', '导出', '新建厂商'],
    url: '/v1/manufacturer/page',
    columns: {
      name: '厂商名称',
      code: '厂商编码',
      areaName: '所在地区',
      contact: '联系人',
      phone: '联系电话',
      status: '状态',
      updateTime: '更新时间',
    },
  },
  actionLog: {
    label: '操作日志',
    filters: ['时间', '用户'],
    choices: ['对象', '修改内容', '结果'],
    actions: ['导出'],
    url: '/v1/action-log/page',
    columns: {
      time: '时间',
      username: '用户',
      verb: '操作',
      entity: '对象',
      entityName: '名称',
      ok: '结果',
      address: '地址',
    },
  },
}
type List = keyof typeof lists

const actions = {
  title: '操作',
  key: 'actions',
  render: () => (
    <Space>
      <Button type="link">编辑</Button>
      <Button type="link">删除</Button>
    </Space>
  ),
}

async function post<T>(url: string, body: object): Promise<T> {
  const satoken = `Bearer ${localStorage.getItem('token') ?? ''}`
  const headers = { 'content-type': 'application/json', satoken }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await answer.json()) as { data: T }).data
}

function Page() {
  const [token, setToken] = useState(localStorage.getItem('token'))
  const signIn = async (draft: Credentials) => {
    const answer = await post<{ token: string }>('/v1/auth/login', { ...draft, remember: false })
    localStorage.setItem('token', answer.token)
    setToken(answer.token)
  }
  if (token) return <Lists />
  return (
    <Form
      layout="vertical"
      onFinish={(draft: Credentials) => void signIn(draft).catch(console.error)}
    >
      <Form.Item name="username" label="账号" rules={[{ required: true }]}>
        <Input />
      </Form.Item>
      <Form.Item name="password" label="密码" rules={[{ required: true }]}>
        <Input.Password />
      </Form.Item>
      <Button type="primary" htmlType="submit">
        登录
      </Button>
    </Form>
  )
}

function Lists() {
  const [list, setList] = useState<List>('manufacturer')
  const [loadedPage, setLoadedPage] = useState<{ of?: List; rows: Row[] }>({ rows: [] })
  useEffect(() => {
    post<{ list: Row[] }>(lists[list].url, { pageNo: 1, pageSize: 20 })
      .then((page) => setLoadedPage({ of: list, rows: page.list }))
      .catch(console.error)
  }, [list])
  return (
    <Layout>
      <Layout.Sider>
        <Menu
          mode="inline"
          selectedKeys={[list]}
          items={Object.entries(lists).map(([key, { label }]) => ({ key, label: <a>{label}</a> }))}
          onClick={({ key }) => setList(key as List)}
        />
      </Layout.Sider>
      <Layout.Content>
        <Form key={`${list} filters`} layout="inline">
          {lists[list].filters.map((name) => (
            <Form.Item key={name} name={name}>
              <Input placeholder={name} />
            </Form.Item>
          ))}
          {lists[list].choices.map((name) => (
            <Form.Item key={name} name={name}>
              <Select placeholder={name} style={{ width: 100 }} />
            </Form.Item>
          ))}
          {lists[list].actions.map((name) => (
            <Button key={name}>{name}</Button>
          ))}
        </Form>
        <Table<Row>
          key={list}
          rowSelection={list === 'manufacturer' ? {} : undefined}
          rowKey="id"
          loading={loadedPage.of !== list}
          dataSource={loadedPage.of === list ? loadedPage.rows : []}
          columns={[
            ...Object.entries(lists[list].columns).map(([key, title]) => ({
              key,
              title,
              render: (row: Row) => String(row[key]),
            })),
            ...(list === 'manufacturer' ? [actions] : []),
          ]}
          pagination={{ showSizeChanger: true, showTotal: (total) => `共 ${total} 条` }}
        />
      </Layout.Content>
    </Layout>
  )
}

createRoot(document.getElementById('root')!).render(
  <ConfigProvider locale={zhCN}>
    <Page />
  </ConfigProvider>,
)
