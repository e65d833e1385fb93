import { and, eq } from 'drizzle-orm'
import { device, deviceCredential } from '../tables/device'

/** Joins a device with its credentials, which also hold its product key; device ids are unique within a project. */
export const isOwnCredential = and(
  eq(deviceCredential.projectId, device.projectId),
  eq(deviceCredential.deviceId, device.id),
)
