import Badge from 'antd/es/badge'
import Tag from 'antd/es/tag'
import Tooltip from 'antd/es/tooltip'
import { edgeStateText } from '@iot/shared/contract/device/edgeHost'
import type { EdgeHost } from '@iot/shared/contract/device/edgeHost.schema'

const stateBadges = {
  inactive: 'default',
  online: 'success',
  degraded: 'warning',
  offline: 'default',
} as const

/** Shows the state of a host, with the reason if it is degraded. */
export function HostState({ host }: { host: Pick<EdgeHost, 'state' | 'why'> }) {
  const { state, why } = host
  if (state === 'disabled') return <Tag>{edgeStateText.disabled}</Tag>
  return (
    <Tooltip title={why}>
      <span tabIndex={why ? 0 : undefined}>
        <Badge status={stateBadges[state]} text={edgeStateText[state]} />
      </span>
    </Tooltip>
  )
}

export const unknownLabel = '未知'
/** A value that the host did not report is shown as unknown. */
export const formatReported = (value: string | number | null, unit = '') =>
  value === null ? unknownLabel : `${value}${unit}`

/** Drift tells how the reported configuration compares with the desired one. */
export type ConfigDrift = 'none' | 'unknown' | 'same' | 'differs' | 'failed'
export const getConfigDrift = ({
  configVersion,
  configApplied,
  configFault,
}: Pick<EdgeHost, 'configVersion' | 'configApplied' | 'configFault'>): ConfigDrift => {
  if (configVersion === 0) return 'none'
  if (configApplied === String(configVersion)) return 'same'
  if (configFault) return 'failed'
  return configApplied === null ? 'unknown' : 'differs'
}

/**
 * Describes a host whose configuration is not known to be current; a host that reported nothing may still have the
 * current one.
 */
export const describeDrift = ({
  configVersion,
  configApplied,
}: Pick<EdgeHost, 'configVersion' | 'configApplied'>) =>
  configApplied === null
    ? `应为版本 ${configVersion}，主机没有报告已应用的版本`
    : `应为版本 ${configVersion}，主机上的是 ${configApplied}，还没有生效`

/** A disabled host is not expected to apply a configuration, so an outdated one raises no warning. */
export const expectsConfig = ({ state }: Pick<EdgeHost, 'state'>) => state !== 'disabled'

/** Shows the desired and the applied configuration version. */
export function ConfigState({ host }: { host: EdgeHost }) {
  const { configVersion, configFault } = host
  const drift = getConfigDrift(host)
  switch (drift) {
    case 'none':
      return <>—</>
    case 'same':
      return <>版本 {configVersion}</>
    case 'failed':
      return (
        <Tooltip title={`主机没能应用：${configFault}`}>
          <span tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
            <Badge
              status={expectsConfig(host) ? 'error' : 'default'}
              text={`版本 ${configVersion} 应用失败`}
            />
          </span>
        </Tooltip>
      )
    case 'differs':
    case 'unknown':
      return (
        <Tooltip title={describeDrift(host)}>
          <span tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
            <Badge
              status={expectsConfig(host) ? 'warning' : 'default'}
              text={`版本 ${configVersion} ${drift === 'unknown' ? '未确认' : '未生效'}`}
            />
          </span>
        </Tooltip>
      )
  }
}
