import Button from 'antd/es/button'
import Tag from 'antd/es/tag'
import { call } from '@iot/shared/client/call'
import type { LoginLog } from '@iot/shared/contract/access/loginLog.schema'
import { loginLogApi } from '@iot/shared/contract/access/loginLog.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { ListTable } from '@iot/shared/ui/listTable'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { timeFilter } from './timeFilter'
import { loginLogTitles } from '@iot/shared/contract/access/loginLog'

const resultOptions = [
  { value: 'true', label: '成功' },
  { value: 'false', label: '失败' },
]
const sessionOptions = [{ value: 'true', label: '在线' }]

export function Component() {
  const { modal, message } = useFeedback()
  const list = usePage(loginLogApi.page, {
    anchored: true,
    empty: '还没有登录记录',
  })
  const kick = ({ id, username, address, browser }: LoginLog) =>
    modal.confirm({
      title: `让“${username}”下线？`,
      content: `这次登录来自 ${[address, browser].filter(Boolean).join('，')}。该页面会立即回到登录页。`,
      okText: '踢下线',
      okButtonProps: { danger: true },
      onOk: () =>
        call(loginLogApi.kick, { id })
          .then(() => (message.success(`“${username}”已下线`), list.refresh()))
          .catch(ignoreHandled),
    })

  const columns = useColumns<LoginLog>('loginLog', [
    { ...column(loginLogTitles, 'time'), ...list.sortable('time'), width: 152 },
    { ...column(loginLogTitles, 'username'), width: 110, ellipsis: true },
    {
      ...column(loginLogTitles, 'ok'),
      width: 66,
      render: (isOk: boolean) => (isOk ? '成功' : <Tag color="error">失败</Tag>),
    },
    { ...column(loginLogTitles, 'reason'), width: 150, ellipsis: true },
    { ...column(loginLogTitles, 'address'), width: 124, ellipsis: true },
    { ...column(loginLogTitles, 'browser'), width: 136, ellipsis: true },
    { ...column(loginLogTitles, 'system'), width: 80, ellipsis: true },
    {
      ...column(loginLogTitles, 'online'),
      width: 88,
      render: (isOnline: boolean, { current }) =>
        current ? '在线，本机' : isOnline ? '在线' : '—',
    },
    {
      title: <>操作</>,
      width: 76,
      fixed: 'right',
      render: (_, row) =>
        row.online && (
          <Can to={loginLogApi.kick} unless={row.current && '这是您当前的会话，请用“退出登录”'}>
            <Button
              type="link"
              size="small"
              style={{ marginInlineStart: -7 }}
              onClick={() => kick(row)}
            >
              踢下线
            </Button>
          </Can>
        ),
    },
  ])

  return (
    <Panel>
      <ListTable<LoginLog>
        list={list}
        columns={columns}
        filters={[
          timeFilter,
          textFilter('username', '账号', 120),
          choiceFilter('ok', '结果', resultOptions, 80),
          choiceFilter('online', '会话', sessionOptions, 80),
          textFilter('address', 'IP 地址', 140),
        ]}
      >
        <ExportButton from={loginLogApi.exportRows} input={list.input} />
      </ListTable>
    </Panel>
  )
}
