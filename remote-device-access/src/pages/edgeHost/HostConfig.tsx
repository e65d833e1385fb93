import { useRequest } from 'ahooks'
import { Alert, App, Button, Descriptions, Empty, Flex, Space, Typography } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { edgeHostApi, type EdgeConfig, type EdgeHostDetail } from '@iot/shared/contract/edgeHost'
import { useCommand } from '@iot/shared/control/useCommand'
import { outgoingText } from '@iot/shared/session/outgoing'
import { useCan } from '@iot/shared/session/can'
import { quietly } from '@iot/shared/ui/batch'
import { shown } from '@iot/shared/ui/field'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Right } from '@iot/shared/ui/right'
import { FailedLine } from '@iot/shared/ui/usePage'
import { driftOf, driftText, isAwaited, told } from './HostState'

const ConfigForm = lazyPart(() => import('./ConfigForm'))
type HostConfigProps = { host: EdgeHostDetail; onChanged: () => void }

/** Compares the desired configuration of a host with the one it reports as applied. */
export default function HostConfig({ host, onChanged }: HostConfigProps) {
  const { id, name, configVersion, configApplied, configFault, pushFailure, pushTime } = host
  const { message } = App.useApp()
  const mayRead = useCan()(edgeHostApi.config)
  const { data, error, refresh } = useRequest(
    () => call(edgeHostApi.config, { id }, { inline: true }),
    { ready: mayRead, refreshDeps: [id, configVersion] },
  )
  const { state, send } = useCommand()
  const [editing, setEditing] = useState<EdgeConfig>()
  const { run: push, loading } = useRequest(
    async () => {
      const answer = await send(edgeHostApi.push, { id }).catch(quietly)
      if (answer) message.success(`“${name}”已收到配置，应用后这里会显示`)
      onChanged()
    },
    { manual: true },
  )
  const drift = driftOf(host)
  const isBehind = drift === 'differs' || drift === 'unknown'
  const unpushable =
    configVersion === 0
      ? '还没有配置'
      : host.state === 'online' || host.state === 'degraded'
        ? ''
        : '主机不在线，上线后再推送'

  return (
    <Flex vertical gap={16}>
      {drift === 'failed' && (
        <Alert
          type={isAwaited(host) ? 'error' : 'info'}
          showIcon
          title={`主机没能应用版本 ${configVersion}：${configFault}`}
        />
      )}
      {isBehind && (
        <Alert
          type={isAwaited(host) ? 'warning' : 'info'}
          showIcon
          title={driftText(host)}
          description={pushFailure && `上次推送没有成功：${pushFailure}`}
        />
      )}
      <Flex justify="space-between" align="start" gap={16} wrap>
        <Descriptions
          style={{ flex: '1 1 480px' }}
          column={2}
          items={[
            {
              key: 'wished',
              label: '应有版本',
              children: configVersion === 0 ? '—' : String(configVersion),
            },
            { key: 'applied', label: '已应用版本', children: told(configApplied) },
            {
              key: 'by',
              label: '修改',
              children: configVersion ? `${host.configBy} ${shown(host.configTime)}` : '—',
            },
            { key: 'appliedTime', label: '应用时间', children: shown(host.configAppliedTime) },
            { key: 'push', label: '上次推送', children: shown(pushTime) },
            {
              key: 'answer',
              label: '推送结果',
              children: pushTime ? pushFailure || '主机已收到' : '—',
            },
          ]}
        />
        <Space>
          <Right to={edgeHostApi.push} unless={unpushable}>
            <Button loading={loading} onClick={push}>
              {state ? outgoingText[state] : '推送'}
            </Button>
          </Right>
          <Right
            to={edgeHostApi.setConfig}
            unless={!data && (error ? '没有读到配置，请先重试' : '正在读取配置')}
          >
            <Button type="primary" onClick={() => setEditing(data)}>
              编辑配置
            </Button>
          </Right>
        </Space>
      </Flex>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!mayRead && <Typography.Text type="secondary">您没有查看配置内容的权限</Typography.Text>}
      {data?.content && (
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
          {data.content}
        </pre>
      )}
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
