import type { RequestHandlers, RequestInput } from '../broker/processMessageKinds'
import { RequestFailedError } from '../broker/requestReply'
import type { Partitions } from '../ingest/partitions'
import type { Identity, Reply } from '../protocol/alink'
import { log } from '../../core/logging/log'
import type { createChangeNotifier } from './changeNotifier'
import { CallEndedError, type Commands } from './commands'

/** Time beyond the timeout of the device, in which the holder's answer arrives. */
const forwardMs = 1000
const notifyTimeoutMs = 5000

type NotifyDevices = ReturnType<typeof createChangeNotifier>

/** Answers requests of other processes to devices of a partition that this process holds. */
export const createDeviceRequestHandlers = (
  commands: Commands,
  notify: NotifyDevices,
): RequestHandlers => ({
  askDevice: ({ device, kind, name, params, timeoutMs }) =>
    (kind === 'action'
      ? commands.ask(device, name, params, timeoutMs)
      : commands.call(device, name, params as Record<string, unknown>, {
          timeout: timeoutMs,
          callType: kind,
        })
    ).then(
      (reply) => ({ reply }),
      (error: Error) => ({ error: error.message, isEnded: error instanceof CallEndedError }),
    ),
  async notifyDevices({ identities, change, formerGatewayId }) {
    await notify(identities, change, formerGatewayId)
    return null
  },
})

/** Calls devices through the holder of their partition, because their replies arrive there. */
export function createForwardedCommands(partitions: () => Partitions) {
  async function askHolder(input: RequestInput<'askDevice'>): Promise<Reply> {
    const answer = await partitions()
      .request(input.device, 'askDevice', input, input.timeoutMs + forwardMs)
      .catch((error: Error) => {
        // The holder has ended after the request had left: the device may have received the call.
        if (error instanceof RequestFailedError) throw new CallEndedError('执行调用的进程没有应答')
        throw error
      })
    if ('reply' in answer) return answer.reply
    throw answer.isEnded ? new CallEndedError(answer.error) : new Error(answer.error)
  }

  return {
    ask: (device: Identity, action: string, params: unknown, timeoutMs: number) =>
      askHolder({ device: pick(device), kind: 'action', name: action, params, timeoutMs }),
    call: (
      device: Identity,
      service: string,
      params: Record<string, unknown>,
      { timeout: timeoutMs = 10_000, callType = 'async' as 'async' | 'sync' } = {},
    ) => askHolder({ device: pick(device), kind: callType, name: service, params, timeoutMs }),
    /** Notifies devices and their gateways of a change. A failure is logged, because the change itself stands. */
    async notify(...[identities, change, formerGatewayId]: Parameters<NotifyDevices>) {
      for (const identity of identities)
        await partitions()
          .request(
            identity,
            'notifyDevices',
            { identities: [pick(identity)], change, formerGatewayId },
            notifyTimeoutMs,
          )
          .catch((err: unknown) =>
            log.warn({ module: 'device', err, identity, change }, '设备没有收到变更通知'),
          )
    },
  }
}

const pick = ({ productKey, deviceName }: Identity): Identity => ({ productKey, deviceName })
