import { useRequest } from 'ahooks'
import { Badge, Flex, Table, Timeline, Typography } from 'antd'
import { call } from '@iot/shared/client/call'
import { ledgerStateText, type LedgerState } from '@iot/shared/contract/control'
import { managedDeviceApi, type DeviceCommand, type Hop } from '@iot/shared/contract/managedDevice'
import type { Service, ThingModel } from '@iot/shared/contract/thingModel'
import { parsed } from '@iot/shared/contract/thingValue'
import { shown } from '@iot/shared/ui/field'
import { FailedLine, whenEmpty } from '@iot/shared/ui/usePage'
import { ServiceOutput } from './ServiceOutput'
import { valuesText } from './valueText'

const every = 2000
const colours: Record<Hop['state'], string> = {
  done: 'green',
  waiting: 'blue',
  failed: 'red',
  unknown: 'gray',
}
const dots: Partial<Record<LedgerState, 'success' | 'processing' | 'error'>> = {
  success: 'success',
  queued: 'processing',
  sent: 'processing',
  delivered: 'processing',
  failed: 'error',
  timeout: 'error',
}
const kinds: Partial<Record<Hop['at'], string>> = { gateway: '网关 ', device: '设备 ' }

type CommandsProps = { id: string; model?: ThingModel }

/** Lists the latest commands to a device with all steps from the request to the answer or the failure. */
export default function Commands({ id, model }: CommandsProps) {
  const { data, error, refresh } = useRequest(
    () => call(managedDeviceApi.commands, { id }, { inline: true }),
    { refreshDeps: [id], pollingInterval: every, pollingErrorRetryCount: 3 },
  )
  return (
    <Flex vertical gap={12}>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<DeviceCommand>
        // The key makes the table expand the newest command as soon as it is known.
        key={data?.[0]?.taskId}
        rowKey="taskId"
        size="middle"
        loading={!data && !error}
        dataSource={data}
        pagination={false}
        scroll={{ x: 'max-content' }}
        locale={whenEmpty(data, '还没有给这台设备下发过命令')}
        expandable={{
          defaultExpandedRowKeys: data?.slice(0, 1).map(({ taskId }) => taskId),
          expandRowByClick: true,
          expandedRowRender: ({ hops, service, output }) => (
            <>
              <Hops hops={hops} />
              <Output text={output} of={model?.services.find(isCalled(service))} />
            </>
          ),
        }}
        columns={[
          { title: '时间', dataIndex: 'time', width: 180, render: shown },
          { title: '操作', dataIndex: 'title', width: 220, ellipsis: true },
          {
            title: '目标值或参数',
            dataIndex: 'target',
            width: 220,
            render: (target: DeviceCommand['target'], { service }) =>
              valuesText(
                (service
                  ? model?.services.find(isCalled(service))?.inputData
                  : model?.properties) ?? [],
                target,
              ) || shown(undefined),
          },
          {
            title: '下达人',
            dataIndex: 'hops',
            width: 120,
            render: (hops: Hop[]) => hops[0]?.name,
          },
          {
            title: '结果',
            dataIndex: 'state',
            width: 160,
            render: (state: LedgerState) => (
              <Badge status={dots[state] ?? 'default'} text={ledgerStateText[state]} />
            ),
          },
        ]}
      />
    </Flex>
  )
}

const isCalled = (service?: string) => (one: Service) => one.identifier === service

/** Shows the output of a service; a text that was truncated in storage is shown as it is. */
function Output({ text, of }: { text?: string; of?: Service }) {
  if (!text) return null
  const data = parsed(text)
  return (
    <div style={{ padding: 16, maxWidth: 560 }}>
      {typeof data === 'object' && data !== null ? (
        <ServiceOutput data={data as Record<string, unknown>} known={of?.outputData ?? []} />
      ) : (
        <Typography.Paragraph style={{ margin: 0 }} ellipsis={{ rows: 3, expandable: true }}>
          返回 {text}
          {data === undefined && '…（太长，只保留了前面）'}
        </Typography.Paragraph>
      )}
    </div>
  )
}

const Hops = ({ hops }: { hops: Hop[] }) => (
  <Timeline
    style={{ padding: '16px 16px 0', marginBottom: -16 }}
    items={hops.map(({ at, name, state, text, time }) => ({
      color: colours[state],
      content: (
        <Flex gap={12} wrap>
          <span style={{ minWidth: 160 }}>
            {kinds[at]}
            {name}
          </span>
          <Typography.Text type={state === 'failed' ? 'danger' : undefined}>{text}</Typography.Text>
          {time && <Typography.Text type="secondary">{shown(time)}</Typography.Text>}
        </Flex>
      ),
    }))}
  />
)
