/** The device that something is of, and the project whose pages hear of it. */
export type Subject = { id: string; projectId: number }
