/** Identifies a device and the project whose pages receive its events. */
export type Subject = { id: string; projectId: number }
