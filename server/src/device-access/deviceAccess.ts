import { eq } from 'drizzle-orm'
import { transaction } from '../core/db/db'
import { createLeases, type WriteAsHolder } from '../core/lease/leases'
import { device } from '../tables/device'
import type { Db } from '../core/db/db'
import type { Identity } from './protocol/alink'
import { openStaleRefresher } from './commands/staleRefresher'
import { startBroker, type BrokerOptions } from './broker/broker'
import type { BrokerAuthority } from './broker/brokerAuthority'
import { createConnectionAuthority } from './connectionAuthority'
import { createChildMessageRejector } from './topology/childMessageRejector'
import { createCommands } from './commands/commands'
import type { CommandTimeoutOptions } from './commands/timeouts'
import { createDeviceDirectory, type Directory } from './directory'
import { createMessageReceiver } from './ingest/messageReceiver'
import { markStaleSince } from './ingest/markStaleSince'
import { createPartitions, partitionPrefix, type Partitions } from './ingest/partitions'
import { createProcessMessages } from './broker/processMessages'
import { openMessageLog, type MessageLog } from './history/messageLog'
import { createChangeNotifier } from './commands/changeNotifier'
import { createDeviceRequestHandlers, createForwardedCommands } from './commands/forwardedCommands'
import { createRefusalLog, type RefusalLog } from './broker/refusalLog'
import { createDeviceSessions } from './topology/deviceSessions'
import { createDeviceStates } from './ingest/deviceStates'
import { startStatePublisher } from './ingest/statePublisher'
import { createThingRequests } from './ingest/thingRequests'
import { parseDeviceTopic } from './protocol/topics'
import type { ChildRefusalListener } from './topology/childVerifier'
import { createTopology } from './topology/topology'

export type DeviceAccessOptions = {
  /** Port of the embedded broker; 0 takes a free one. Device access is off if neither a port nor `mqttUrl` is set. */
  mqttPort?: number
  mqttHost?: string
  /** URL of an external broker, which replaces the embedded one. */
  mqttUrl?: string
  /** The external broker presents this secret when it calls the authentication hooks. */
  mqttHookSecret?: string
  /** Further listeners of the embedded broker; the TLS ones need certificate and key. */
  mqttTlsPort?: number
  mqttWsPort?: number
  mqttWssPort?: number
  mqttSecure?: BrokerOptions['secure']
  mqttLimits?: BrokerOptions['limits']
  mqttConnectTimeout?: number
  /** Connections per minute that one device may make before it is throttled. */
  mqttConnectionsPerMinute?: number
  /** Devices fetch their configuration over HTTP at this base URL. */
  publicUrl?: string
  /** Retention of reported values in days. */
  historyDays?: number
  /** Number of ingest partitions; more than one divides the products among several processes. */
  ingestPartitions?: number
  /** These waiting times for devices replace the defaults. */
  commandTimeouts?: CommandTimeoutOptions
}

/**
 * Starts device access: broker, ingest partitions, device sessions, reported state and commands.
 * @param leases of this process; without any it is the only one
 * @example const devices = await startDeviceAccess(db, { mqttPort: 1883 }, reportError); devices.commands.call(lamp,
 * 'Identify', {})
 */
export async function startDeviceAccess(
  db: Db,
  options: DeviceAccessOptions,
  reportError: (source: 'device' | 'broker', error: Error) => void,
  leases = createLeases(db, { isOnlyProcess: true }),
) {
  const isExternal = options.mqttUrl !== undefined
  const getPartitions = (): Partitions => partitions
  const findLink = () => getPartitions().findLink()
  const reportDeviceError = (error: Error) => reportError('device', error)
  const writeAsHolder: WriteAsHolder = (work) =>
    transaction(db, async (tx) => {
      await leases.guard(tx, partitionPrefix)
      return work(tx)
    })
  const processMessages = createProcessMessages(options.mqttUrl)
  const directory = createDeviceDirectory(db, (identities) =>
    processMessages.broadcast('forget', identities),
  )
  const states = createDeviceStates(db, options.historyDays, writeAsHolder)
  const sessions = createDeviceSessions(db, directory, states)
  const requests = createThingRequests({
    db,
    writeAsHolder,
    states,
    publicUrl: options.publicUrl,
  })
  const messages = openMessageLog(db)
  const refusals = createRefusalLog(db)
  const topology = createTopology(
    db,
    writeAsHolder,
    directory,
    sessions,
    createChildRefusalRecorder(refusals),
  )
  const commands = createCommands(findLink)
  const notify = createChangeNotifier(db, directory, sessions, commands, findLink)
  const forwardedCommands = createForwardedCommands(getPartitions)
  const staleRefresher = openStaleRefresher(
    db,
    states,
    commands,
    options.commandTimeouts,
    (identity) => getPartitions().owns(identity),
  )
  const receive = createMessageReceiver({
    db,
    writeAsHolder,
    directory,
    states,
    sessions,
    owns: (identity) => getPartitions().owns(identity),
    topology,
    requests,
    messages,
    commands,
    link: findLink,
    reportError: reportDeviceError,
    shouldMarkSendersOnline: isExternal,
  })

  const authority = createConnectionAuthority({
    db,
    directory,
    sessions,
    commands,
    processMessages,
    refusals,
    rejectChildMessage: createChildMessageRejector(directory, findLink),
    connectionsPerMinute: options.mqttConnectionsPerMinute,
  })
  // A fresh embedded broker has no connections yet, whereas an external broker may have kept them.
  if (!isExternal)
    await db.update(device).set({ state: 'offline', via: null }).where(eq(device.state, 'online'))
  const closeStores = async () => {
    await staleRefresher.close()
    await Promise.all([states.close(), messages.close(), refusals.close()])
  }
  const broker = await startEmbeddedBroker(options, authority).catch(async (error: unknown) => {
    // Their timers would go on with a database that is closed after the refused start.
    await closeStores()
    throw error
  })
  // This process has every page if there is no external broker, so nothing is collected.
  const statePublisher = isExternal
    ? startStatePublisher(states.events, processMessages)
    : undefined
  const linkTarget = broker
    ? { url: broker.url, ...broker.login, external: false }
    : isExternal
      ? { url: options.mqttUrl!, external: true }
      : undefined
  processMessages.events
    .on('rrpc', commands.setExtended)
    .on('leasesFreed', () => void leases.check().catch(reportDeviceError))
    .on('ended', ({ identities, why }) => commands.end(identities, why))
    .on('forget', (identities) => {
      directory.forgetLocally(identities)
      sessions.recheckLogins(identities).catch(reportDeviceError)
    })
  await processMessages.open()
  const handlers = createDeviceRequestHandlers(commands, notify)
  const partitions = createPartitions({
    db,
    leases,
    processMessages,
    count: options.ingestPartitions ?? 1,
    link: linkTarget && {
      ...linkTarget,
      receive,
      flush: () => void states.flush(),
      onPublished: createSentMessageRecorder(directory, messages),
    },
    handlers,
    clearCaches() {
      directory.clearCache()
      sessions.clearCache()
      states.clearCache()
    },
    flush: states.flush,
    discard: states.discard,
    onSessionLost: (owns) => void markStaleSince(db, states, owns).catch(reportDeviceError),
  })
  partitions.addWork({
    onAcquired: staleRefresher.takeOver,
    onLost() {},
    onHandOver: () => Promise.resolve(),
  })
  await partitions.start()

  return {
    states,
    writeAsHolder,
    partitions,
    /** Answers requests of other processes; modules add theirs. */
    handlers,
    /** Calls from here reach devices of every partition, except property sets, which the holder publishes itself. */
    commands: { ...commands, ask: forwardedCommands.ask, call: forwardedCommands.call },
    messages,
    refusals,
    authority,
    processMessages,
    /** TCP port for devices; undefined with an external broker. */
    mqttPort: broker?.ports.tcp,
    mqttPorts: broker?.ports,
    /** These are the addresses of the embedded broker's plain TCP listener. */
    mqttAddresses: broker?.addresses,
    mqttFigures: broker?.figures,
    /** An external broker does not tell how a device is connected. */
    describeConnection: broker?.describeConnection,
    register: authority.register,
    /** `none` means that device access is off. */
    broker() {
      if (!linkTarget) return 'none' as const
      const isConnected = !partitions.isCutOff() && processMessages.isConnected()
      return isConnected ? ('connected' as const) : ('away' as const)
    },
    /** Notifies the devices and their gateways of a change; call `forget` as well to drop cached data. */
    notify: forwardedCommands.notify,
    /** Ends pending calls to these devices in every process and passes the reason to their callers. */
    endCalls(identities: Identity[], why: string) {
      commands.end(identities, why)
      processMessages.broadcast('ended', { identities, why })
    },
    /**
     * Drops cached data of devices that were changed, disabled or deleted, and closes their connections if `shouldDisconnect` is
     * set.
     */
    async forget(identities: Identity[], shouldDisconnect: boolean) {
      for (const identity of identities) {
        directory.forget(identity)
        if (shouldDisconnect) broker?.disconnect(identity)
      }
      await sessions.recheckLogins(identities)
    },
    /** Hands the work over to the other processes before this one stops. */
    async handOver() {
      await partitions.close()
      await leases.close()
      processMessages.broadcast('leasesFreed', null)
    },
    async close() {
      await partitions.close()
      await leases.close()
      await broker?.close()
      await closeStores()
      statePublisher?.stop()
      await processMessages.close()
    },
  }
}
export type DeviceAccess = Awaited<ReturnType<typeof startDeviceAccess>>

/** Starts the embedded broker unless an external one is used or device access is off. */
async function startEmbeddedBroker(options: DeviceAccessOptions, authority: BrokerAuthority) {
  if (options.mqttUrl !== undefined || options.mqttPort === undefined) return undefined
  return startBroker({
    ports: {
      tcp: options.mqttPort,
      tls: options.mqttTlsPort,
      ws: options.mqttWsPort,
      wss: options.mqttWssPort,
    },
    secure: options.mqttSecure,
    host: options.mqttHost,
    limits: options.mqttLimits,
    connectTimeout: options.mqttConnectTimeout,
    authority,
  })
}

/** Records why a gateway could not speak for a sub-device. */
const createChildRefusalRecorder =
  (refusals: RefusalLog): ChildRefusalListener =>
  (gateway, child, reason) => {
    const { clientId, productKey, deviceName } = child
    refusals.record({
      clientId,
      productKey,
      deviceName,
      address: `网关 ${gateway.deviceName}`,
      reason,
      device: child.device,
      projectId: gateway.projectId,
    })
  }

/** Records the messages that the platform publishes to devices. */
const createSentMessageRecorder =
  (directory: Directory, messages: MessageLog) => (topic: string, payload: string) => {
    const deviceTopic = parseDeviceTopic(topic)
    if (!deviceTopic) return
    directory.find(deviceTopic).then(
      (knownDevice) =>
        knownDevice && messages.record(knownDevice, 'down', topic, Buffer.from(payload)),
      () => {}, // Messages are not stored while the database is away.
    )
  }
