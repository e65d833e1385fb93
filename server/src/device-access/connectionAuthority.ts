import type { RefusalReason } from '@iot/shared/contract/device/connectionRefusal.schema'
import { and, eq } from 'drizzle-orm'
import { device } from '../tables/device'
import type { Db } from '../core/db/db'
import { AlinkError, deviceKey } from './protocol/alink'
import { describeWrongProof, isExpired } from './protocol/signature'
import type { BrokerAuthority } from './broker/brokerAuthority'
import { createConnectionThrottle } from './broker/connectionThrottle'
import { describeRegistrationError, type RefusalLog } from './broker/refusalLog'
import type { Commands } from './commands/commands'
import type { Directory, KnownDevice } from './directory'
import { createDeviceRegistration, type RegisterDevice } from './registration/registration'
import type { ProcessMessages } from './broker/processMessages'
import type { DeviceSessions } from './topology/deviceSessions'
import { log } from '../core/logging/log'

type ConnectionAuthorityDependencies = {
  db: Db
  directory: Directory
  sessions: DeviceSessions
  commands: Commands
  processMessages: ProcessMessages
  refusals: RefusalLog
  rejectChildMessage: BrokerAuthority['rejectChildMessage']
  connectionsPerMinute: number | undefined
}

/** Answers the questions of the broker: who may connect, and for which devices a gateway speaks. */
export function createConnectionAuthority({
  db,
  directory,
  sessions,
  commands,
  processMessages,
  refusals,
  rejectChildMessage,
  connectionsPerMinute,
}: ConnectionAuthorityDependencies) {
  const admitConnection = createConnectionThrottle(connectionsPerMinute)
  async function throttleDevice({ projectId, id, ...identity }: KnownDevice, until: number) {
    const slowedUntil = new Date(until).toISOString()
    log.warn(
      { module: 'broker', deviceId: id },
      `设备 ${deviceKey(identity)} 连接过于频繁，暂停接入到 ${slowedUntil}`,
    )
    await db
      .update(device)
      .set({ slowedUntil })
      .where(and(eq(device.projectId, projectId), eq(device.id, id)))
  }
  const registerDevice = createDeviceRegistration(db, directory)
  const register: RegisterDevice = (request, origin) =>
    registerDevice(request, origin).catch(async (error: unknown) => {
      const { productKey, deviceName } = request
      const { address } = origin
      if (error instanceof AlinkError)
        await authority.recordRefusal({
          productKey,
          deviceName,
          clientId: '',
          address,
          reason: describeRegistrationError(error),
        })
      throw error
    })

  const authority: BrokerAuthority = {
    register,
    async admits(credentials, address) {
      const { device, signed: isSigned, slowed } = await directory.check(credentials)
      const { clientId, productKey, deviceName } = credentials
      const refuse = (reason: RefusalReason) => {
        refusals.record({ clientId, productKey, deviceName, address, reason, device })
        return reason === 'slowed' ? ('slowed' as const) : ('no' as const)
      }
      if (!device) return refuse('unknownDevice')
      if (!isSigned) return refuse(describeWrongProof(credentials))
      if (isExpired(credentials)) return refuse('expired')
      if (device.disabled) return refuse('disabled')
      if (slowed) return refuse('slowed')
      const { admitted, slowedUntil } = admitConnection(deviceKey(device))
      if (slowedUntil) await throttleDevice(device, slowedUntil)
      if (!admitted) return refuse('slowed')
      const isExtended = credentials.extended ?? false
      if (commands.setExtended(deviceKey(device), isExtended))
        processMessages.publishRrpc(deviceKey(device), isExtended)
      return 'yes'
    },
    async recordRefusal(refusal) {
      // Strings that cannot be device names are neither looked up nor remembered.
      const { productKey, deviceName } = refusal
      const hasDeviceName = [productKey, deviceName].every((name) => name && name.length <= 64)
      const device = hasDeviceName
        ? await directory.find(refusal).catch(() => undefined)
        : undefined
      refusals.record({ ...refusal, device })
    },
    getChildren: sessions.getChildren,
    findGatewayKey: sessions.findGatewayKey,
    canActFor: sessions.canActFor,
    rejectChildMessage,
  }
  return authority
}
