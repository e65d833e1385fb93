import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { looksComposite } from '@iot/shared/contract/thingModel/thingValue'
import { isDiskFull, isOutage, logError } from '../../core/db/outage'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import { now } from '../../tables/columns'
import { isFinalState, stoppedReason } from './closeLedger'
import type { CommandSender } from './commandSender'
import { controlQueries } from './queries'
import type { Entry, RunningTask } from './runningTask'
import type { Settlement } from './settlement'

/** Entries published per round over all gateways; one SQL statement marks them all as sent. */
const maxDispatchBatch = 2000

/** Publishes the pending entries of tasks in batches. */
export function createDispatcher(
  {
    states,
    partitions,
    writeAsHolder,
  }: Pick<DeviceAccess, 'states' | 'partitions' | 'writeAsHolder'>,
  finishEntry: Settlement['finishEntry'],
  sendCommand: CommandSender,
) {
  /**
   * Publishes pending entries in batches and slows down while the database saves device reports. Capacity that becomes
   * free during one batch is used by the next.
   */
  async function dispatchPending(task: RunningTask) {
    if (task.isDispatching) return
    task.isDispatching = true
    const takeBatch = () => (task.isLeft ? [] : task.queues.takeBatch(maxDispatchBatch))
    try {
      for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
        await task.ledger.enqueueWrite(() => dispatchBatch(batch))
        if (states.countPending() > maxDispatchBatch)
          await states.flush().catch((error) => logError('设备状态暂未写入', error))
      }
    } finally {
      task.isDispatching = false
    }
  }

  /** Marks entries as sent before publishing, so that a crash leaves them "unknown", never "not sent". */
  async function dispatchBatch(batch: Entry[]) {
    const preparedBatch = await prepareBatch(batch).catch((error: unknown) => {
      // The process that has taken over carries out what was queued.
      if (error instanceof LeaseLostError) return
      logError('控制任务未下发', error)
      // Nothing of this batch has been published yet.
      for (const entry of batch)
        if (entry.row.state === 'queued')
          finishEntry(entry, 'failed', `${describeCause(error)}，未下发`)
    })
    if (!preparedBatch) return
    for (const entry of batch) {
      if (!preparedBatch.markedDeviceIds.has(entry.device.id)) finishEntry(entry, 'overridden')
      else if (!partitions.holdsAny()) finishEntry(entry, 'unknown', stoppedReason)
      else if (!isFinalState(entry.row.state))
        publishEntry(entry, preparedBatch.models.get(entry.device.productId))
    }
  }

  /** Marks the entries as sent in the ledger. */
  async function prepareBatch(batch: Entry[]) {
    const models = await loadModels(batch)
    const sentTime = now()
    const rows = batch.map(({ row }) => ({ ...row, sentTime }))
    const markedDeviceIds = new Set(await writeAsHolder((tx) => controlQueries(tx).markSent(rows)))
    return { models, markedDeviceIds }
  }

  /** An entry that cannot be published must not stop the others. */
  function publishEntry(entry: Entry, model?: ThingModel) {
    try {
      sendCommand(entry, model)
    } catch (error) {
      logError('控制命令未能下发', error)
      const isUnsent = entry.row.state === 'queued'
      if (isUnsent) finishEntry(entry, 'failed', `${describeCause(error)}，未下发`)
      else finishEntry(entry, 'unknown', `${describeCause(error)}，不确定是否已下发`)
    }
  }

  return { dispatchPending }
}

const describeCause = (error: unknown) =>
  isDiskFull(error) ? '磁盘空间不足' : isOutage(error) ? '数据库中断' : '平台出错'

/** Only structures and arrays need the product model to be encoded; other values are published as they are. */
async function loadModels(batch: Entry[]) {
  const compositeEntries = batch.filter(({ row }) => Object.values(row.target).some(looksComposite))
  return new Map(
    await Promise.all(
      compositeEntries.map(
        async ({ device: { productId }, task }) =>
          [productId, await task.findModel(productId)] as const,
      ),
    ),
  )
}
