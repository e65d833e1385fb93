import type { Values } from '@iot/shared/contract/device/device.schema'
import { and, eq, sql } from 'drizzle-orm'
import { deviceEvent } from '../../tables/device'
import type { Db } from '../../core/db/db'
import type { WriteAsHolder } from '../../core/lease/leases'
import { AlinkError, alinkCode } from '../protocol/alink'
import { boundTime } from './deviceClock'
import type { KnownDevice } from '../directory'
import { readTime, readValues } from '../protocol/readValues'

type ThingEvent = KnownDevice['model']['events'][number]
/** An event as it is stored, with what decides which alarm rules cover it; the text names it and its values. */
export type StoredEvent = Pick<KnownDevice, 'projectId' | 'productId' | 'spaceId'> & {
  deviceId: string
  identifier: string
  type: ThingEvent['type']
  text: string
}
/** Runs in the transaction that stores an event, so that what follows from it is not lost. */
export type EventWriter = (tx: Db, event: StoredEvent) => Promise<void>

/** Stores the events that devices report; an event with an invalid parameter is rejected as a whole. */
export const createEventRecorder =
  (writeAsHolder: WriteAsHolder, eventWriters: readonly EventWriter[] = []) =>
  async (
    device: KnownDevice,
    identifier: string,
    params: unknown,
    isRedelivered = false,
  ): Promise<Record<string, never>> => {
    const event = device.model.events.find((one) => one.identifier === identifier)
    if (!event && device.model.events.length > 0) throw new AlinkError(alinkCode.event, identifier)
    const { output, time } = unwrapOutput(params)
    const { values, wrong } = readValues(event?.outputData ?? [], output)
    for (const [name, { code }] of Object.entries(wrong)) throw new AlinkError(code, name)
    const now = Date.now()
    const eventTime = new Date(
      time === undefined ? now : boundTime(readTime(time), now),
    ).toISOString()
    await writeAsHolder(async (tx) => {
      if (isRedelivered && (await hasStoredEvent(tx, device, identifier, values))) return
      await tx.insert(deviceEvent).values({
        projectId: device.projectId,
        deviceId: device.id,
        identifier,
        type: event?.type ?? 'info',
        params: values,
        time: eventTime,
      })
      const text = event ? describeEvent(event, values) : identifier
      const { id: deviceId, projectId, productId, spaceId } = device
      const type = event?.type ?? 'info'
      const storedEvent = { projectId, productId, spaceId, deviceId, identifier, type, text }
      for (const writeEvent of eventWriters) await writeEvent(tx, storedEvent)
    })
    return {}
  }

function describeEvent({ name, outputData }: ThingEvent, values: Values) {
  const valueTexts = outputData
    .filter((one) => one.identifier in values)
    .map((one) => `${one.name} ${String(values[one.identifier])}`)
  return [name, valueTexts.join('、')].filter(Boolean).join('：')
}

/** A redelivered message arrives within the time of a take-over. */
const redeliverySeconds = 60

/** Returns true if the former holder has stored the event before it could acknowledge its message. */
const hasStoredEvent = async (db: Db, device: KnownDevice, identifier: string, values: Values) =>
  (await db.$count(
    deviceEvent,
    and(
      eq(deviceEvent.projectId, device.projectId),
      eq(deviceEvent.deviceId, device.id),
      eq(deviceEvent.identifier, identifier),
      sql`${deviceEvent.params} = ${JSON.stringify(values)}::jsonb`,
      sql`${deviceEvent.time} > now() - make_interval(secs => ${redeliverySeconds})`,
    ),
  )) > 0

/** Newer devices wrap the output parameters of an event in `{value, time}`. */
const unwrapOutput = (params: unknown): { output: unknown; time?: unknown } =>
  typeof params === 'object' &&
  params !== null &&
  'value' in params &&
  typeof params.value === 'object'
    ? { output: params.value, time: 'time' in params ? params.time : undefined }
    : { output: params ?? {} }
