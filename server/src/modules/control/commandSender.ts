import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { encodeForDevice } from '@iot/shared/contract/thingModel/thingValue'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { Reply } from '../../device-access/protocol/alink'
import { isFinalState } from './closeLedger'
import type { ObservedEntries } from './observedEntries'
import type { Entry } from './runningTask'
import type { Settlement } from './settlement'
import { contradicts } from './targetValues'

export type CommandSenderOptions = {
  devices: DeviceAccess
  observedEntries: ObservedEntries
  finishEntry: Settlement['finishEntry']
  onAcknowledged: (entry: Entry) => void
  timeoutMs: number
}

/** Returns a function that publishes the command of an entry and waits for the answer of its device. */
export function createCommandSender({
  devices,
  observedEntries,
  finishEntry,
  onAcknowledged,
  timeoutMs,
}: CommandSenderOptions) {
  /** The last command wins on the device, so earlier entries that ask for other values end as overridden. */
  function overrideEarlier({ device, row, task }: Entry) {
    for (const other of observedEntries.findByDevice(device.id)) {
      if (other.row.taskId >= row.taskId || !contradicts(other.row.target, row.target)) continue
      if (isFinalState(other.row.state)) observedEntries.remove(other)
      else finishEntry(other, 'overridden', `${task.step.row.createBy}：${task.step.row.title}`)
    }
  }

  /** A task may start after a later one, if another process has accepted it. */
  const findLaterOpposite = ({ device, row }: Entry) =>
    observedEntries
      .findByDevice(device.id)
      .find(
        (other) =>
          other.row.taskId > row.taskId &&
          other.row.state !== 'queued' &&
          contradicts(other.row.target, row.target),
      )

  function onReplied(entry: Entry, { code, message = '' }: Reply) {
    if (code === 200) return onAcknowledged(entry)
    finishEntry(entry, 'failed', `设备返回 ${code}${message && ` ${message.slice(0, 100)}`}`)
  }

  return (entry: Entry, model?: ThingModel) => {
    const { device, row, task } = entry
    const laterEntry = findLaterOpposite(entry)
    if (laterEntry) {
      const { createBy, title } = laterEntry.task.step.row
      return finishEntry(entry, 'overridden', `${createBy}：${title}`)
    }
    // A command that cannot be encoded must fail before its entry counts as sent.
    const values = model ? encodeForDevice(model, row.target) : row.target
    overrideEarlier(entry)
    task.ledger.recordTransition(row, 'sent')
    devices.states.setDesired({ id: device.id, projectId: row.projectId }, row.taskId, row.target)
    entry.deadlineMs = Date.now() + timeoutMs
    entry.timeoutTimer = setTimeout(
      () => finishEntry(entry, 'timeout', `${timeoutMs / 1000} 秒内没有应答`),
      timeoutMs,
    )
    entry.stopWaiting = devices.commands.set(
      device,
      values,
      (error) => error && queueMicrotask(() => finishEntry(entry, 'failed', error.message)),
      (reply) => onReplied(entry, reply),
      ({ message }) => finishEntry(entry, 'unknown', message),
    )
  }
}
export type CommandSender = ReturnType<typeof createCommandSender>
