export type Json = { [name: string]: unknown }
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const toArray = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [])
