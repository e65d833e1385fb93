import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { EdgeConfig, EdgeHostDetail } from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import { useCommand } from '@iot/shared/control/useCommand'
import { inFlightText } from '@iot/shared/session/outgoing'
import { useCan } from '@iot/shared/session/can'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { formatValue } from '@iot/shared/ui/field'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { getConfigDrift, describeDrift, expectsConfig, formatReported } from './HostState'

const ConfigForm = lazyDialog(() => import('./ConfigForm'))

/** Returns why the configuration cannot be pushed now. */
const explainRefusedPush = ({ configVersion, state }: EdgeHostDetail) =>
  configVersion === 0
    ? '还没有配置'
    : state === 'online' || state === 'degraded'
      ? ''
      : '主机不在线，上线后再推送'

type HostConfigProps = { host: EdgeHostDetail; onChanged: () => void }

/** Compares the desired configuration of a host with the one it reports as applied. */
export default function HostConfig({ host, onChanged }: HostConfigProps) {
  const { id, name, configVersion } = host
  const { message } = useFeedback()
  const canReadConfig = useCan()(edgeHostApi.config)
  const { data, error, refresh } = useRequest(
    () => call(edgeHostApi.config, { id }, { inline: true }),
    { ready: canReadConfig, refreshDeps: [id, configVersion] },
  )
  const { state: commandState, send } = useCommand()
  const [editing, setEditing] = useState<EdgeConfig>()
  const { run: push, loading } = useRequest(
    async () => {
      const pushReply = await send(edgeHostApi.push, { id }).catch(ignoreHandled)
      if (pushReply) message.success(`“${name}”已收到配置，应用后这里会显示`)
      onChanged()
    },
    { manual: true },
  )

  return (
    <Flex vertical gap={16}>
      <ConfigNotices host={host} />
      <Flex justify="space-between" align="start" gap={16} wrap>
        <ConfigVersions host={host} />
        <Space>
          <Can to={edgeHostApi.push} unless={explainRefusedPush(host)}>
            <Button loading={loading} onClick={push}>
              {commandState ? inFlightText[commandState] : '推送'}
            </Button>
          </Can>
          <Can
            to={edgeHostApi.setConfig}
            unless={!data && (error ? '没有读到配置，请先重试' : '正在读取配置')}
          >
            <Button type="primary" onClick={() => setEditing(data)}>
              编辑配置
            </Button>
          </Can>
        </Space>
      </Flex>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!canReadConfig && (
        <Typography.Text type="secondary">您没有查看配置内容的权限</Typography.Text>
      )}
      {data?.content && <ConfigContent content={data.content} />}
      {data && !data.content && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description="还没有配置，点“编辑配置”填写，保存后再推送给主机"
        />
      )}
      {editing && (
        <ConfigForm
          config={editing}
          onSaved={() => {
            refresh()
            onChanged()
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Flex>
  )
}

function ConfigNotices({ host }: { host: EdgeHostDetail }) {
  const { configVersion, configFault, pushFailure } = host
  const drift = getConfigDrift(host)
  const isOutdated = drift === 'differs' || drift === 'unknown'

  return (
    <>
      {drift === 'failed' && (
        <Alert
          type={expectsConfig(host) ? 'error' : 'info'}
          showIcon
          title={`主机没能应用版本 ${configVersion}：${configFault}`}
        />
      )}
      {isOutdated && (
        <Alert
          type={expectsConfig(host) ? 'warning' : 'info'}
          showIcon
          title={describeDrift(host)}
          description={pushFailure && `上次推送没有成功：${pushFailure}`}
        />
      )}
    </>
  )
}

function ConfigVersions({ host }: { host: EdgeHostDetail }) {
  const { configVersion, configApplied, pushFailure, pushTime } = host
  return (
    <Descriptions
      style={{ flex: '1 1 480px' }}
      column={2}
      items={[
        {
          key: 'wished',
          label: '应有版本',
          children: configVersion === 0 ? '—' : String(configVersion),
        },
        { key: 'applied', label: '已应用版本', children: formatReported(configApplied) },
        {
          key: 'by',
          label: '修改',
          children: configVersion ? `${host.configBy} ${formatValue(host.configTime)}` : '—',
        },
        {
          key: 'appliedTime',
          label: '应用时间',
          children: formatValue(host.configAppliedTime),
        },
        { key: 'push', label: '上次推送', children: formatValue(pushTime) },
        {
          key: 'answer',
          label: '推送结果',
          children: pushTime ? pushFailure || '主机已收到' : '—',
        },
      ]}
    />
  )
}

const ConfigContent = ({ content }: { content: string }) => (
  <pre
    tabIndex={0}
    aria-label="配置内容"
    style={{
      margin: 0,
      padding: 16,
      maxHeight: 480,
      overflow: 'auto',
      fontSize: 12,
      background: 'var(--ant-color-fill-quaternary)',
    }}
  >
    {content}
  </pre>
)
