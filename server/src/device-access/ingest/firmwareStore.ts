import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { isStorable } from '../../core/db/storable'
import type { WriteAsHolder } from '../../core/lease/leases'
import { deviceFirmware } from '../../tables/deviceRecords'
import type { KnownDevice } from '../directory'

/** Limit of modules per device, so that a device with invented names cannot fill the disk. */
const maxModules = 50
const FirmwareText = z.string().max(128).refine(isStorable)
const VersionReport = z.object({
  params: z.object({ version: FirmwareText.min(1), module: FirmwareText.optional() }),
})
const ProgressReport = z.object({
  params: z.object({
    // The documents specify a string, but SDKs send a number.
    step: z.coerce.number().int().min(-100).max(100),
    desc: z.string().max(1024).refine(isStorable).default(''),
    module: FirmwareText.optional(),
  }),
})

/** Stores the reported firmware versions and update progress of devices. The protocol defines no reply to either. */
export function createFirmwareStore(writeAsHolder: WriteAsHolder) {
  async function saveFirmware(
    { projectId, id }: KnownDevice,
    module: string | undefined,
    columns: Partial<typeof deviceFirmware.$inferInsert>,
  ) {
    const time = new Date().toISOString()
    await writeAsHolder(async (tx) => {
      const storedModules = await tx
        .select({ module: deviceFirmware.module })
        .from(deviceFirmware)
        .where(and(eq(deviceFirmware.projectId, projectId), eq(deviceFirmware.deviceId, id)))
      const isNew = !storedModules.some((one) => one.module === (module || 'default'))
      if (isNew && storedModules.length >= maxModules) return
      await tx
        .insert(deviceFirmware)
        .values({ projectId, deviceId: id, module: module || 'default', time, ...columns })
        .onConflictDoUpdate({
          target: [deviceFirmware.projectId, deviceFirmware.deviceId, deviceFirmware.module],
          set: { ...columns, time },
        })
    })
  }
  return {
    async inform(device: KnownDevice, message: unknown) {
      const { data } = VersionReport.safeParse(message)
      // A reported version ends its update, so the progress is cleared.
      if (data)
        await saveFirmware(device, data.params.module, {
          version: data.params.version,
          step: null,
          description: '',
        })
    },
    async progress(device: KnownDevice, message: unknown) {
      const { data } = ProgressReport.safeParse(message)
      if (data)
        await saveFirmware(device, data.params.module, {
          step: data.params.step,
          description: data.params.desc,
        })
    },
  }
}
export type Firmware = ReturnType<typeof createFirmwareStore>
