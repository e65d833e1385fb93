import Alert from 'antd/es/alert'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { refusalReasonText } from '../contract/device/connectionRefusal'
import { ConnectionRefusal, type RefusalReason } from '../contract/device/connectionRefusal.schema'
import { column, formatValue } from './field'

type RefusalListProps = { rows: ConnectionRefusal[]; hasNames?: boolean }

/** Newest refused connections in a few columns, for the page of a device or product. */
export const RefusalList = ({ rows, hasNames = true }: RefusalListProps) => (
  <Flex vertical gap={8}>
    <Typography.Text strong>最近被拒绝的接入</Typography.Text>
    <Table<ConnectionRefusal>
      rowKey="id"
      size="small"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={rows}
      columns={[
        { ...column(ConnectionRefusal, 'lastTime'), width: 168 },
        ...(hasNames ? [{ ...column(ConnectionRefusal, 'deviceName'), width: 180 }] : []),
        {
          ...column(ConnectionRefusal, 'reason'),
          width: 240,
          render: (reason: RefusalReason) => refusalReasonText[reason],
        },
        { ...column(ConnectionRefusal, 'address'), width: 140 },
        { ...column(ConnectionRefusal, 'count'), width: 80, align: 'right' },
      ]}
    />
  </Flex>
)

type DeviceRefusalsProps = { refusals: ConnectionRefusal[]; slowedUntil: string | null }

/** Connection failures on the page of a device: its throttling and its refused connections. */
export const DeviceRefusals = ({ refusals, slowedUntil }: DeviceRefusalsProps) => (
  <>
    {slowedUntil && (
      <Alert
        type="warning"
        showIcon
        title={`连接过于频繁，暂停接入到 ${formatValue(slowedUntil)}；请检查供电、网络和重连间隔`}
      />
    )}
    {refusals.length > 0 && <RefusalList rows={refusals} hasNames={false} />}
  </>
)
