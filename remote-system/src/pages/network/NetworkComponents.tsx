import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import dayjs from 'dayjs'
import { call } from '@iot/shared/client/call'
import {
  componentStateText,
  componentText,
  componentTitles,
} from '@iot/shared/contract/device/network'
import type { Component, ComponentKey } from '@iot/shared/contract/device/network.schema'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { column, formatValue } from '@iot/shared/ui/field'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { serverNow } from '@iot/shared/client/serverClock'

const pollIntervalMs = 10_000
const formatCount = (value: number | null) => (value === null ? '—' : value.toLocaleString('zh-CN'))
const countColumns = (['connections', 'perMinute', 'errors'] as const).map((name) => ({
  ...column(componentTitles, name),
  width: 84,
  align: 'right' as const,
  render: formatCount,
}))

/** Lists the access points of the platform with their traffic. */
export function NetworkComponents() {
  const { message } = useFeedback()
  const { data, error, refresh } = useRequest(() => call(networkApi.list, {}, { quiet: true }), {
    pollingInterval: pollIntervalMs,
    pollingWhenHidden: false,
  })
  const connectionTest = useRequest(
    (key: ComponentKey) =>
      call(networkApi.test, { key })
        .then(({ ok, milliseconds, reason }) =>
          ok
            ? message.success(`${componentText[key]} 可以连通，用时 ${milliseconds} 毫秒`)
            : message.error(`${componentText[key]} 不通：${reason}`),
        )
        .catch(ignoreHandled),
    { manual: true },
  )

  return (
    <>
      <Typography.Text strong>接入组件</Typography.Text>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<Component>
        size="small"
        rowKey="key"
        loading={!data && !error}
        dataSource={data}
        locale={buildEmptyLocale(data)}
        pagination={false}
        scroll={{ x: 980 }}
        columns={[
          {
            ...column(componentTitles, 'key'),
            width: 230,
            render: (key: ComponentKey) => componentText[key],
          },
          { ...column(componentTitles, 'address'), width: 120 },
          { ...column(componentTitles, 'port'), width: 70, align: 'right' },
          {
            ...column(componentTitles, 'state'),
            width: 90,
            render: (state: Component['state']) =>
              state === 'away' ? (
                <Tag color="error">{componentStateText[state]}</Tag>
              ) : (
                componentStateText[state]
              ),
          },
          ...countColumns,
          {
            ...column(componentTitles, 'certificateEnd'),
            width: 116,
            render: (certificateEnd: string | null) =>
              certificateEnd && dayjs(certificateEnd).diff(serverNow(), 'day') < 30 ? (
                <Tag color="error">{formatValue(certificateEnd).slice(0, 10)}</Tag>
              ) : (
                formatValue(certificateEnd).slice(0, 10)
              ),
          },
          {
            title: <>操作</>,
            width: 106,
            fixed: 'right',
            render: (_, { key, state }) => (
              <Can to={networkApi.test} unless={state === 'off' && '这个组件没有开启'}>
                <Button
                  type="link"
                  size="small"
                  style={{ marginInlineStart: -7 }}
                  loading={connectionTest.loading && connectionTest.params[0] === key}
                  onClick={() => connectionTest.run(key)}
                >
                  连通性测试
                </Button>
              </Can>
            ),
          },
        ]}
      />
    </>
  )
}
