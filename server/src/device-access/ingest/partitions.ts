import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import type { Leases } from '../../core/lease/leases'
import { createRefusal } from '../../core/refusal'
import type { BrokerLink, LinkOptions } from '../broker/brokerLink'
import { buildDeviceFilters, endBrokerSession, openBrokerLink } from '../broker/brokerLink'
import type { ProcessMessages } from '../broker/processMessages'
import type { RequestHandlers, RequestInput, RequestKind } from '../broker/processMessageKinds'
import { log } from '../../core/logging/log'
import { partitionQueries } from './partitionQueries'

export const partitionPrefix = 'ingest/'
const toTarget = (partition: number) => `${partitionPrefix}${partition}`

/** Products and members are compared at this interval where there is more than one partition. */
const balanceIntervalMs = 2000
/** A holder that receives nothing for this long leaves the partition to a process that may reach the broker. */
const maxSilentMs = 5000

/** Sessions of removed partitions are looked for again while a process with the former number still runs. */
const surplusCheckMs = 30_000

/** Work of a holder beside the ingest, such as control tasks. */
export type HolderWork = {
  /** Called when this process has acquired a partition. */
  onAcquired: () => unknown
  /** Another process has taken over; nothing may be written or sent any more. */
  onLost: () => void
  /** Finishes or leaves the work in the database before the partition is handed over. */
  onHandOver: () => Promise<void>
}

type PartitionOptions = {
  db: Db
  leases: Leases
  processMessages: ProcessMessages
  /** Number of partitions. */
  count: number
  /** Undefined without a broker: commands fail then, but the platform runs. */
  link?: Pick<
    LinkOptions,
    'url' | 'username' | 'password' | 'external' | 'receive' | 'flush' | 'onPublished'
  >
  /** Answers requests of other processes. */
  handlers: RequestHandlers
  /** Forgets what this process knew of devices, before it hears them again. */
  clearCaches: () => void
  /** Stores everything that was received before the partition is handed over. */
  flush: () => Promise<void>
  /** Drops everything that is not stored. */
  discard: () => void
  /** Messages of the partition were lost before now. */
  onSessionLost: (owns: (productKey: string) => boolean) => void
}

/**
 * Divides the products among ingest partitions. A partition is a lease and one MQTT client with a fixed client id and a
 * persistent session: the broker keeps its messages while the holder changes, and disconnects a former holder.
 */
export function createPartitions(options: PartitionOptions) {
  const { db, leases, processMessages, count, link: linkOptions } = options
  const queries = partitionQueries(db)
  const links = new Map<number, BrokerLink>()
  const works: HolderWork[] = []
  let assignments = new Map<string, number>()
  let balanceTimer: NodeJS.Timeout | undefined
  /** Partitions that this process holds without receiving their messages, and since when. */
  const silentSinceMs = new Map<number, number>()

  /** A product without an assignment belongs to the first partition until the next comparison. */
  const findPartition = (productKey: string) =>
    count === 1 ? 0 : (assignments.get(productKey) ?? 0)
  const owns = (productKey: string) => leases.isHeld(toTarget(findPartition(productKey)))

  /** An earlier session may hold the filters of other products, or of all of them. */
  async function listFilters(partition: number) {
    if (count === 1) {
      const products = [...(await queries.listAssignments()).keys()]
      return {
        wantedFilters: buildDeviceFilters(),
        outdatedFilters: products.flatMap(listProductFilters),
      }
    }
    assignments = await queries.assignProducts(count)
    const products = [...assignments]
    return {
      wantedFilters: products
        .filter(([, assigned]) => assigned === partition)
        .flatMap(([productKey]) => listProductFilters(productKey))
        .concat(presenceFilters),
      outdatedFilters: [
        ...wildcardFilters,
        ...products
          .filter(([, assigned]) => assigned !== partition)
          .flatMap(([productKey]) => listProductFilters(productKey)),
      ],
    }
  }

  async function openLink(partition: number) {
    if (!linkOptions) return
    const target = toTarget(partition)
    const link = await openBrokerLink({
      ...linkOptions,
      clientId: await queries.findClientId(partition),
      listFilters: () => listFilters(partition),
      isHolder: () => leases.isHeld(target),
      onSessionLost: () =>
        options.onSessionLost((productKey) => findPartition(productKey) === partition),
    })
    links.set(partition, link)
  }
  async function closeLink(partition: number) {
    const link = links.get(partition)
    links.delete(partition)
    await link?.close()
  }

  const want = (partition: number) =>
    leases.want(toTarget(partition), {
      // A process that is cut off from the broker could not receive the messages of the partition.
      canHold: () => processMessages.isConnected() && canTakeMore(),
      async onAcquired() {
        options.clearCaches()
        try {
          await openLink(partition)
        } catch (error) {
          // The hand-over waits for this function and leaves a pause before the next attempt.
          void leases.handOver(toTarget(partition))
          throw error
        }
        await processMessages.serve(toTarget(partition), options.handlers)
        if (count > 1 || !leases.isOnlyProcess)
          log.info({ module: 'ingest' }, `接手接入分区 ${partition}`)
        for (const work of works) work.onAcquired()
        if (partition === 0) void endSurplusSessions(options, queries)
      },
      async onLost() {
        for (const work of works) work.onLost()
        options.discard()
        log.warn({ module: 'ingest' }, `接入分区 ${partition} 已由另一个进程接手`)
        await processMessages.stopServing(toTarget(partition))
        await closeLink(partition)
      },
      async onHandOver() {
        await Promise.all(works.map((work) => work.onHandOver()))
        await processMessages.stopServing(toTarget(partition))
        await closeLink(partition)
        await options.flush()
      },
    })

  /** Partitions are divided evenly among the members: the first ones by id hold one more if they do not divide. */
  let fairShare = Infinity
  const canTakeMore = () => leases.listHeld(partitionPrefix).length < fairShare
  async function balance() {
    const members = (await leases.listCurrent('member/')).map(({ holder }) => holder).sort()
    const rank = members.indexOf(leases.holder)
    if (rank < 0) return
    fairShare = Math.floor(count / members.length) + (rank < count % members.length ? 1 : 0)
    const surplus = leases.listHeld(partitionPrefix).slice(fairShare)
    for (const target of surplus) await leases.handOver(target)
    await subscribeNewProducts()
  }
  async function subscribeNewProducts() {
    const knownProducts = new Set(assignments.keys())
    assignments = await queries.assignProducts(count)
    for (const [productKey, partition] of assignments)
      if (!knownProducts.has(productKey))
        await links.get(partition)?.addFilters(listProductFilters(productKey))
  }

  const isReceiving = (partition: number) =>
    !linkOptions || links.get(partition)?.isReceiving === true
  const listHeldPartitions = () =>
    leases.listHeld(partitionPrefix).map((target) => Number(target.slice(partitionPrefix.length)))

  /** Reconnects after an outage of the database, and leaves partitions whose messages do not arrive here. */
  function checkLinks() {
    const now = performance.now()
    const heldPartitions = listHeldPartitions()
    for (const partition of silentSinceMs.keys())
      if (!heldPartitions.includes(partition)) silentSinceMs.delete(partition)
    for (const partition of heldPartitions) {
      if (leases.isHeld(toTarget(partition))) links.get(partition)?.reconnect()
      if (isReceiving(partition)) silentSinceMs.delete(partition)
      else if (!silentSinceMs.has(partition)) silentSinceMs.set(partition, now)
      else if (!leases.isOnlyProcess && now - silentSinceMs.get(partition)! > maxSilentMs) {
        log.warn({ module: 'ingest' }, `接入分区 ${partition} 收不到消息，交给其他进程`)
        void leases.handOver(toTarget(partition))
      }
    }
  }

  return {
    /** Takes the free partitions; resolves when their links are open. */
    async start() {
      for (let partition = 0; partition < count; partition++) want(partition)
      await leases.start()
      if (count > 1) await balance()
      balanceTimer = setInterval(() => {
        checkLinks()
        if (count > 1) balance().catch((error: unknown) => logError('接入分区暂未重新分配', error))
      }, balanceIntervalMs).unref()
    },
    isOnlyProcess: leases.isOnlyProcess,
    /** Adds work that starts and stops with the partitions. */
    addWork: (work: HolderWork) => void works.push(work),
    owns: (identity: { productKey: string }) => owns(identity.productKey),
    /** True if this process holds a partition whose messages do not arrive; a take-over may take two seconds. */
    isCutOff: () =>
      listHeldPartitions().some(
        (partition) =>
          links.get(partition)?.connected === false ||
          performance.now() - (silentSinceMs.get(partition) ?? Infinity) > balanceIntervalMs / 2,
      ),
    holdsAny: () => leases.listHeld(partitionPrefix).some(leases.isHeld),
    /** Any link reaches every device; the first connected one is used. */
    findLink: () =>
      [...links.values()].find(({ connected }) => connected) ?? [...links.values()][0],
    findTarget: (identity: { productKey: string }) => toTarget(findPartition(identity.productKey)),
    /**
     * Sends a request to the holder of the device's partition, which may be this process.
     * @throws Refusal if no process holds the partition at the moment
     */
    async request<K extends RequestKind>(
      identity: { productKey: string },
      kind: K,
      data: RequestInput<K>,
      timeoutMs: number,
    ) {
      const target = toTarget(findPartition(identity.productKey))
      if (!leases.isHeld(target) && (await leases.listCurrent(target)).length === 0)
        throw createRefusal('设备接入正在切换到另一个进程，请几秒后再试')
      return processMessages.request(target, kind, data, timeoutMs)
    },
    /** Hands the partitions over to the other processes. */
    async close() {
      clearInterval(balanceTimer)
      await Promise.all(leases.listHeld(partitionPrefix).map(leases.handOver))
    },
  }
}
export type Partitions = ReturnType<typeof createPartitions>

/** The broker would collect messages for ever for partitions that are gone since their number was reduced. */
async function endSurplusSessions(
  options: PartitionOptions,
  queries: ReturnType<typeof partitionQueries>,
): Promise<void> {
  const { leases, count, link, onSessionLost } = options
  if (!link?.external || !leases.isHeld(toTarget(0))) return
  try {
    const surplusPartitions = await queries.listSurplus(count)
    if (surplusPartitions.length === 0) return
    const usedTargets = (await leases.listCurrent(partitionPrefix)).map(({ name }) => name)
    for (const { number, clientId } of surplusPartitions) {
      if (usedTargets.includes(toTarget(number))) continue
      await endBrokerSession(link, clientId)
      await queries.removePartition(number)
      log.warn(
        { module: 'ingest' },
        `接入分区 ${number} 已不再使用，已结束它在消息服务上的会话；各设备的值重新查询`,
      )
      // Messages that waited in the session are gone; which devices sent them is not known.
      onSessionLost(() => true)
    }
  } catch (error) {
    logError('不再使用的接入分区的会话未能结束', error)
  }
  setTimeout(() => void endSurplusSessions(options, queries), surplusCheckMs).unref()
}

const isPresenceFilter = (filter: string) => filter.startsWith('$SYS/')
const wildcardFilters = buildDeviceFilters().filter((filter) => !isPresenceFilter(filter))
const presenceFilters = buildDeviceFilters().filter(isPresenceFilter)
const listProductFilters = (productKey: string) =>
  buildDeviceFilters(productKey).filter((filter) => !isPresenceFilter(filter))
