/** Identifies a device and the project whose pages receive its events. */
export type DeviceRef = { id: string; projectId: number }
