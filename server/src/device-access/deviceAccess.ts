import type { RefusalReason } from '@iot/shared/contract/connectionRefusal'
import { and, eq } from 'drizzle-orm'
import { device } from '../tables/device'
import type { Db } from '../core/db/db'
import { AlinkError, keyOf, type Identity } from './alink'
import { openAskAgain } from './askAgain'
import { startBroker, type Authority, type BrokerOptions } from './broker'
import { openChildTopics } from './childTopics'
import { openCommands } from './commands'
import { openDirectory, type KnownDevice } from './directory'
import { openFlapping } from './flapping'
import { openIngest } from './ingest'
import { openLink, type Link } from './link'
import { openMessages } from './messages'
import { openNotices } from './notices'
import { createRefusalLog, describeRegistrationError } from './refusals'
import { openRegistration, type Register } from './registration'
import { describeWrongProof } from './signature'
import { openDeviceSessions } from './sessions'
import { shareWork } from './shareWork'
import { openSiblings } from './siblings'
import { openStates } from './states'
import { openThingRequests } from './thingRequests'
import { locate } from './topics'
import { openTopology } from './topology'

export type DeviceAccessOptions = {
  /** Of the embedded broker; 0 takes a free one. Neither port nor address: no devices at all. */
  mqttPort?: number
  mqttHost?: string
  /** An external broker takes the place of the embedded one. */
  mqttUrl?: string
  /** What the external broker shows when it asks whether a device may come in. */
  mqttHookSecret?: string
  /** Further ways into the embedded broker; those with TLS need certificate and key. */
  mqttTlsPort?: number
  mqttWsPort?: number
  mqttWssPort?: number
  mqttSecure?: BrokerOptions['secure']
  mqttLimits?: BrokerOptions['limits']
  mqttConnectTimeout?: number
  /** Of one device, before it has to wait. */
  mqttConnectionsPerMinute?: number
  /** How devices reach the platform over HTTP, to fetch their configuration. */
  publicUrl?: string
  /** What devices report is kept for so long. */
  historyDays?: number
  /** How long a device may take to answer a control task. */
  controlTimeout?: number
}

/**
 * Devices in and out: the broker, who is connected, what they report, and commands to them.
 * @example const devices = await startDeviceAccess(db, { mqttPort: 1883 }, console.error); devices.commands.call(lamp, 'Identify', {})
 */
export async function startDeviceAccess(
  db: Db,
  options: DeviceAccessOptions,
  reportError: (source: 'device' | 'broker', error: Error) => void,
) {
  let link: Link | undefined
  const siblings = openSiblings(options.mqttUrl === undefined)
  const directory = openDirectory(db, (identities) => siblings.tell('forget', identities))
  const states = openStates(db, options.historyDays)
  const sessions = openDeviceSessions(db, directory, states)
  const requests = openThingRequests({ db, states, publicUrl: options.publicUrl })
  const messages = openMessages(db)
  const refusals = createRefusalLog(db)
  const topology = openTopology(db, directory, sessions, (gateway, child, reason) => {
    const { clientId, productKey, deviceName } = child
    refusals.record({
      ...{ clientId, productKey, deviceName, address: `网关 ${gateway.deviceName}` },
      ...{ reason, device: child.device, projectId: gateway.projectId },
    })
  })
  const commands = openCommands(() => link)
  const askAgain = openAskAgain(db, states, commands)
  siblings.events.on('rrpc', commands.connected)
  siblings.events.on('ended', ({ identities, why }) => commands.end(identities, why))
  const overheard = new Set<string>()
  const receive = openIngest({
    db,
    directory,
    states,
    sessions,
    siblings,
    overheard,
    topology,
    requests,
    messages,
    commands,
    link: () => link,
    reportError: (error) => reportError('device', error),
    speakersAreOnline: options.mqttUrl !== undefined,
  })

  const mayConnect = openFlapping(options.mqttConnectionsPerMinute)
  async function slow({ projectId, id, ...identity }: KnownDevice, until: number) {
    const slowedUntil = new Date(until).toISOString()
    console.warn(`设备 ${keyOf(identity)} 连接过于频繁，暂停接入到 ${slowedUntil}`)
    await db
      .update(device)
      .set({ slowedUntil })
      .where(and(eq(device.projectId, projectId), eq(device.id, id)))
  }
  const registerDevice = openRegistration(db, directory)
  const register: Register = (asking, from) =>
    registerDevice(asking, from).catch(async (error: unknown) => {
      const { productKey, deviceName } = asking
      const { address } = from
      if (error instanceof AlinkError)
        await authority.noteRefusal({
          ...{ productKey, deviceName, clientId: '', address },
          reason: describeRegistrationError(error),
        })
      throw error
    })

  const authority: Authority = {
    register,
    async admits(signed, address) {
      const { device, signed: isSigned, slowed } = await directory.check(signed)
      const { clientId, productKey, deviceName } = signed
      const refuse = (reason: RefusalReason) => {
        refusals.record({ clientId, productKey, deviceName, address, reason, device })
        return reason === 'slowed' ? ('slowed' as const) : ('no' as const)
      }
      if (!device) return refuse('unknownDevice')
      if (!isSigned) return refuse(describeWrongProof(signed))
      if (device.disabled) return refuse('disabled')
      if (slowed) return refuse('slowed')
      const { admitted, slowedUntil } = mayConnect(keyOf(device))
      if (slowedUntil) await slow(device, slowedUntil)
      if (!admitted) return refuse('slowed')
      const isExtended = signed.extended ?? false
      if (commands.connected(keyOf(device), isExtended))
        siblings.tellRrpc(keyOf(device), isExtended)
      return 'yes'
    },
    async noteRefusal(refused) {
      // Names that no device can have are not looked up, so that a flood costs no query.
      const { productKey, deviceName } = refused
      const isName = [productKey, deviceName].every((name) => name && name.length <= 64)
      const device = isName ? await directory.find(refused).catch(() => undefined) : undefined
      refusals.record({ ...refused, device })
    },
    childrenOf: sessions.childrenOf,
    gatewayOf: sessions.gatewayOf,
    speaksFor: sessions.speaksFor,
    answersFor: openChildTopics(directory, () => link),
  }
  const embedded = options.mqttUrl === undefined && options.mqttPort !== undefined
  // Of an embedded broker nobody can be connected yet; an external one goes on without us.
  if (!options.mqttUrl)
    await db.update(device).set({ state: 'offline', via: null }).where(eq(device.state, 'online'))
  const broker = embedded
    ? await startBroker({
        ports: {
          tcp: options.mqttPort!,
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
    : undefined
  shareWork({ db, states, sessions, directory, siblings }, (error) => reportError('device', error))
  function onSaid(topic: string, payload: string) {
    const at = locate(topic)
    if (!at) return
    directory.find(at).then(
      (known) => known && messages.keep(known, 'down', topic, Buffer.from(payload)),
      () => {}, // Without the database nothing is kept.
    )
  }
  const way = broker
    ? { url: broker.url, ...broker.login, external: false }
    : options.mqttUrl !== undefined && { url: options.mqttUrl, external: true }
  if (way) link = await openLink({ ...way, onSaid }, siblings, receive)

  return {
    states,
    commands,
    messages,
    refusals,
    authority,
    siblings,
    overheard,
    /** Where devices connect, when the broker is the embedded one. */
    mqttPort: broker?.ports.tcp,
    mqttPorts: broker?.ports,
    /** Of the embedded broker's plain TCP port. */
    mqttAddresses: broker?.addresses,
    mqttFigures: broker?.figures,
    register,
    /** `none` where there are to be no devices. */
    broker: () => (!link ? 'none' : link.connected ? 'connected' : 'away'),
    /** Says so to the devices and their gateways; `forget` what was remembered of them besides. */
    notify: openNotices(db, directory, sessions, commands, () => link),
    /** Whoever waits for an answer of these is told why there is none. */
    endCalls(identities: Identity[], why: string) {
      commands.end(identities, why)
      siblings.tell('ended', { identities, why })
    },
    /** The devices were changed, disabled or deleted: what is remembered of them is read anew, connections are cut. */
    async forget(identities: Identity[], cut: boolean) {
      for (const identity of identities) {
        directory.forget(identity)
        if (cut) broker?.kick(identity)
      }
      await sessions.recheck(identities)
    },
    async close() {
      await link?.close()
      await broker?.close()
      await askAgain.close()
      await Promise.all([states.close(), messages.close(), refusals.flush()])
    },
  }
}
export type DeviceAccess = Awaited<ReturnType<typeof startDeviceAccess>>
