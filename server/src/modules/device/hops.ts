import type { CommandStage } from '@iot/shared/contract/device/deviceLive.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { isWriteOnly } from '@iot/shared/contract/thingModel/thingValue'
import type { CommandRow } from './records'

/** Maximum time in milliseconds that a service call waits for an answer. */
const maxCallMs = 60_000

/** Stations of a command in order; the gateway is left out for a device without one. */
const stations = ['user', 'platform', 'broker', 'gateway', 'device', 'answer'] as const
type Station = (typeof stations)[number]
type Stop = { at: Station; state: CommandStage['state']; text: string }

/** Finds where a command stopped from its ledger entry; the part of a gateway is inferred from its connection state. */
function findStop(row: CommandRow, isAnswerFinal: boolean, now: number): Stop {
  const { state, reason, sentTime, route, service, time } = row
  const { gateway, state: stateWhenSent, end: stateAtEnd = stateWhenSent } = route ?? {}
  if (sentTime === null) {
    if (state === 'queued') return { at: 'platform', state: 'waiting', text: '排队等待下发' }
    if (state === 'cancelled') return { at: 'platform', state: 'failed', text: '下发前已取消' }
    return { at: 'platform', state: 'failed', text: `没有下发：${reason || '平台中断'}` }
  }
  switch (state) {
    case 'success':
      return { at: 'answer', state: 'done', text: isAnswerFinal ? '设备已应答' : '设备已上报新值' }
    case 'confirmed':
      return { at: 'answer', state: 'unknown', text: '设备已应答，还没有上报新值' }
    case 'delivered':
      return { at: 'answer', state: 'waiting', text: '设备已应答，等待上报' }
    case 'sent':
      // The platform stopped before the answer came.
      if (service && now - Date.parse(time) > maxCallMs)
        return { at: 'device', state: 'unknown', text: '平台中断，结果未知' }
      return { at: 'device', state: 'waiting', text: '等待设备应答' }
    case 'overridden':
      return { at: 'answer', state: 'unknown', text: `被覆盖：${reason}` }
    case 'failed':
      if (reason === '消息服务未连接')
        return { at: 'broker', state: 'failed', text: '平台没有连上消息服务，命令没有发出' }
      if (reason.startsWith('应答后上报'))
        return { at: 'answer', state: 'failed', text: `设备应答了，但${reason}` }
      if (reason === '设备离线' && gateway && stateAtEnd !== 'online')
        return { at: 'gateway', state: 'failed', text: `网关“${gateway}”当时已断开` }
      return { at: 'device', state: 'failed', text: reason }
    case 'timeout':
      if (gateway && stateAtEnd !== 'online')
        return { at: 'gateway', state: 'failed', text: `${reason}，网关“${gateway}”当时已离线` }
      return {
        at: 'device',
        state: 'failed',
        text: gateway ? `${reason}，网关当时在线，请查看网关到设备的线路` : reason,
      }
    // A sent entry cannot be queued, cancelled or skipped; if a row says so, its outcome is not known.
    case 'unknown':
    case 'queued':
    case 'cancelled':
    case 'skipped':
      return { at: 'device', state: 'unknown', text: `${reason || '平台中断'}，结果未知` }
  }
}

/**
 * Lists the stations of a command with user, platform, broker, gateway, device and answer. The gateway is shown as it
 * was when the command was sent and when it ended, because both states are stored in the ledger.
 */
export function listHops(
  row: CommandRow,
  device: { name: string; model: ThingModel },
  now = Date.now(),
): CommandStage[] {
  const isAnswerFinal = !!row.service || isWriteOnly(device.model, row.target)
  const stopPoint = findStop(row, isAnswerFinal, now)
  const { gateway, state: stateWhenSent } = row.route ?? {}
  const hopDetails: Record<Station, { name: string; text: string; time: string | null }> = {
    user: { name: row.createBy, text: `下达：${row.title}`, time: row.time },
    platform: { name: '平台', text: '已下发', time: row.sentTime },
    broker: { name: '消息服务', text: '已转发', time: row.sentTime },
    gateway: {
      name: gateway ?? '',
      time: null,
      text: stateWhenSent === 'online' ? '网关当时在线，经它转发' : '网关当时不在线',
    },
    device: { name: device.name, text: '已应答', time: null },
    answer: { name: '结果', text: '', time: row.doneTime },
  }
  const visibleStations = stations.filter((station) => station !== 'gateway' || gateway)
  const stopIndex = visibleStations.indexOf(stopPoint.at)
  return visibleStations.slice(0, stopIndex + 1).map((station) => ({
    at: station,
    state: 'done' as const,
    ...hopDetails[station],
    ...(station === stopPoint.at && {
      ...stopPoint,
      time: hopDetails[station].time ?? row.doneTime,
    }),
  }))
}
