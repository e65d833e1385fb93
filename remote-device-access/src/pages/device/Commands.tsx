import useRequest from 'ahooks/es/useRequest'
import Badge from 'antd/es/badge'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Timeline from 'antd/es/timeline'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { ledgerStateText } from '@iot/shared/contract/control/control'
import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import type { DeviceCommand, CommandStage } from '@iot/shared/contract/device/deviceLive.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { Service, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { parseJson } from '@iot/shared/contract/thingModel/thingValue'
import { formatValue } from '@iot/shared/ui/field'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { ServiceOutput } from './ServiceOutput'
import { formatDeviceValues } from './formatDeviceValue'

const pollIntervalMs = 2000
const stageColours: Record<CommandStage['state'], string> = {
  done: 'green',
  waiting: 'blue',
  failed: 'red',
  unknown: 'gray',
}
const stateBadges: Partial<Record<LedgerState, 'success' | 'processing' | 'error'>> = {
  success: 'success',
  queued: 'processing',
  sent: 'processing',
  delivered: 'processing',
  failed: 'error',
  timeout: 'error',
}
const stagePrefixes: Partial<Record<CommandStage['at'], string>> = {
  gateway: '网关 ',
  device: '设备 ',
}

type CommandsProps = { id: string; model?: ThingModel }

/** Lists the latest commands to a device with all steps from the request to the answer or the failure. */
export default function Commands({ id, model }: CommandsProps) {
  const { data, error, refresh } = useRequest(
    () => call(managedDeviceApi.commands, { id }, { inline: true }),
    { refreshDeps: [id], pollingInterval: pollIntervalMs, pollingErrorRetryCount: 3 },
  )
  return (
    <Flex vertical gap={12}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<DeviceCommand>
        // The key makes the table expand the newest command as soon as it is known.
        key={data?.[0]?.taskId}
        rowKey="taskId"
        size="middle"
        loading={!data && !error}
        dataSource={data}
        pagination={false}
        scroll={{ x: 'max-content' }}
        locale={buildEmptyLocale(data, '还没有给这台设备下发过命令')}
        expandable={{
          defaultExpandedRowKeys: data?.slice(0, 1).map(({ taskId }) => taskId),
          expandRowByClick: true,
          expandedRowRender: ({ hops, service, output }) => (
            <>
              <CommandStages hops={hops} />
              <ServiceResult
                text={output}
                calledService={model?.services.find(hasIdentifier(service))}
              />
            </>
          ),
        }}
        columns={[
          { title: '时间', dataIndex: 'time', width: 180, render: formatValue },
          { title: '操作', dataIndex: 'title', width: 220, ellipsis: true },
          {
            title: '目标值或参数',
            dataIndex: 'target',
            width: 220,
            render: (target: DeviceCommand['target'], { service }) =>
              formatDeviceValues(
                (service
                  ? model?.services.find(hasIdentifier(service))?.inputData
                  : model?.properties) ?? [],
                target,
              ) || formatValue(undefined),
          },
          {
            title: '下达人',
            dataIndex: 'hops',
            width: 120,
            render: (hops: CommandStage[]) => hops[0]?.name,
          },
          {
            title: '结果',
            dataIndex: 'state',
            width: 160,
            render: (state: LedgerState) => (
              <Badge status={stateBadges[state] ?? 'default'} text={ledgerStateText[state]} />
            ),
          },
        ]}
      />
    </Flex>
  )
}

const hasIdentifier = (service?: string) => (candidate: Service) => candidate.identifier === service

/** Shows the output of a service; a text that was truncated in storage is shown as it is. */
function ServiceResult({ text, calledService }: { text?: string; calledService?: Service }) {
  if (!text) return null
  const data = parseJson(text)
  return (
    <div style={{ padding: 16, maxWidth: 560 }}>
      {typeof data === 'object' && data !== null ? (
        <ServiceOutput
          data={data as Record<string, unknown>}
          outputParams={calledService?.outputData ?? []}
        />
      ) : (
        <Typography.Paragraph style={{ margin: 0 }} ellipsis={{ rows: 3, expandable: true }}>
          返回 {text}
          {data === undefined && '…（太长，只保留了前面）'}
        </Typography.Paragraph>
      )}
    </div>
  )
}

const CommandStages = ({ hops }: { hops: CommandStage[] }) => (
  <Timeline
    style={{ padding: '16px 16px 0', marginBottom: -16 }}
    items={hops.map(({ at, name, state, text, time }) => ({
      color: stageColours[state],
      content: (
        <Flex gap={12} wrap>
          <span style={{ minWidth: 160 }}>
            {stagePrefixes[at]}
            {name}
          </span>
          <Typography.Text type={state === 'failed' ? 'danger' : undefined}>{text}</Typography.Text>
          {time && <Typography.Text type="secondary">{formatValue(time)}</Typography.Text>}
        </Flex>
      ),
    }))}
  />
)
