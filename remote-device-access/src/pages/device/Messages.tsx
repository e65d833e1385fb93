import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Segmented from 'antd/es/segmented'
import Switch from 'antd/es/switch'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { DeviceMessage } from '@iot/shared/contract/device/deviceLive.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { renderCode } from '@iot/shared/ui/field'
import { useComposedText } from '@iot/shared/ui/composition'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { formatPageTime } from '@iot/shared/client/zone'

const pollIntervalMs = 3000
const directionTexts = { up: '上行', down: '下行' }
const directionOptions = [
  { value: 'all', label: '全部' },
  { value: 'up', label: directionTexts.up },
  { value: 'down', label: directionTexts.down },
]

/** Lists raw MQTT messages of a device: up to 200 per direction, kept for a day. */
export default function Messages({ id }: { id: string }) {
  const [shownDirection, setShownDirection] = useState('all')
  const [searchText, setSearchText] = useState('')
  const [isAutoRefreshing, setAutoRefreshing] = useState(true)
  const { data, error, refresh } = useRequest(
    () => call(managedDeviceApi.messages, { id }, { inline: true }),
    {
      refreshDeps: [id, isAutoRefreshing],
      pollingInterval: isAutoRefreshing ? pollIntervalMs : undefined,
      pollingErrorRetryCount: 3,
    },
  )
  const composedSearch = useComposedText(searchText).trim()
  const matchingMessages = data?.filter(
    ({ direction, topic, payload }) =>
      (shownDirection === 'all' || direction === shownDirection) &&
      (topic.includes(composedSearch) || payload.includes(composedSearch)),
  )
  return (
    <Flex vertical gap={12}>
      <Flex gap={12} wrap align="center">
        <Segmented options={directionOptions} value={shownDirection} onChange={setShownDirection} />
        <Input.Search
          allowClear
          placeholder="Topic 或内容"
          aria-label="Topic 或内容"
          onChange={({ target }) => setSearchText(target.value)}
          style={{ width: 220 }}
        />
        <label>
          <Switch size="small" checked={isAutoRefreshing} onChange={setAutoRefreshing} /> 自动刷新
        </label>
        <Typography.Text type="secondary">上下行各保留最近 200 条，最长一天</Typography.Text>
      </Flex>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<DeviceMessage>
        rowKey="id"
        size="small"
        loading={!data && !error}
        dataSource={matchingMessages}
        pagination={{ defaultPageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
        scroll={{ x: 900 }}
        locale={{
          emptyText: error
            ? ' '
            : data?.length
              ? '没有符合条件的报文'
              : '一天内没有报文，设备连上后会出现在这里',
        }}
        expandable={{
          expandRowByClick: true,
          expandedRowRender: ({ topic, payload }) => (
            <Flex vertical gap={8} style={{ padding: '4px 8px' }}>
              <Typography.Text code copyable>
                {topic}
              </Typography.Text>
              <Typography.Paragraph copyable={{ text: payload }} style={{ margin: 0 }}>
                报文
                <pre style={{ maxHeight: 320, overflow: 'auto' }}>{formatPayload(payload)}</pre>
              </Typography.Paragraph>
            </Flex>
          ),
        }}
        columns={[
          {
            title: '时间',
            dataIndex: 'time',
            width: 200,
            render: (time: string) => formatPageTime(time, 'YYYY-MM-DD HH:mm:ss.SSS'),
          },
          {
            title: '方向',
            dataIndex: 'direction',
            width: 80,
            render: (direction: DeviceMessage['direction']) =>
              `${direction === 'up' ? '↑' : '↓'} ${directionTexts[direction]}`,
          },
          { title: 'Topic', dataIndex: 'topic', width: 320, ellipsis: true },
          {
            title: '报文',
            dataIndex: 'payload',
            ellipsis: true,
            render: renderCode,
          },
        ]}
      />
    </Flex>
  )
}

function formatPayload(payload: string) {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
