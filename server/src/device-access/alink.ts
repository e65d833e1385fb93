import { z } from 'zod'

/** Who speaks: the pair every Alink topic carries. */
export type Identity = { productKey: string; deviceName: string }
export const keyOf = ({ productKey, deviceName }: Identity) => `${productKey}&${deviceName}`

/** Codes of Alibaba's "error codes for devices" page, as far as they are answered here. */
export const alinkCode = {
  ok: 200,
  parameter: 460,
  signature: 6287,
  busy: 429,
  noSession: 520,
  disabled: 522,
  tooMany: 6106,
  deviceMissing: 6100,
  productMissing: 6250,
  registrationOff: 6288,
  boundElsewhere: 6619,
  identifier: 6321,
  int: 6306,
  float: 6307,
  bool: 6308,
  enum: 6309,
  text: 6310,
  date: 6311,
  struct: 6312,
  array: 6328,
  topologyMissing: 6401,
  notAGateway: 6402,
} as const

const messages: Record<number, string> = {
  [alinkCode.ok]: 'success',
  [alinkCode.parameter]: 'request parameter error',
  [alinkCode.signature]: 'invalid sign',
  [alinkCode.busy]: 'too many requests',
  [alinkCode.noSession]: 'device no session',
  [alinkCode.disabled]: 'device forbidden',
  [alinkCode.tooMany]: 'map size must less than 200',
  [alinkCode.deviceMissing]: 'device not found',
  [alinkCode.productMissing]: 'product not found',
  [alinkCode.registrationOff]: 'dynamic register is not allowed',
  [alinkCode.boundElsewhere]: 'device has been bound to another gateway',
  [alinkCode.identifier]: 'tsl parse: identifier not exist',
  [alinkCode.int]: 'tsl parse: int value out of specs',
  [alinkCode.float]: 'tsl parse: number value out of specs',
  [alinkCode.bool]: 'tsl parse: bool value must be 0 or 1',
  [alinkCode.enum]: 'tsl parse: enum value not in specs',
  [alinkCode.text]: 'tsl parse: text too long or not text',
  [alinkCode.date]: 'tsl parse: date must be milliseconds as text',
  [alinkCode.struct]: 'tsl parse: not a struct of the declared members',
  [alinkCode.array]: 'tsl parse: not an array of the declared size',
  [alinkCode.topologyMissing]: 'topo relation not exist',
  [alinkCode.notAGateway]: 'topo relation cannot add by self',
}

/** Ends a message with a code for the device; never reaches a browser. */
export class AlinkError extends Error {
  constructor(
    readonly code: number,
    detail = '',
  ) {
    super([messages[code] ?? 'error', detail].filter(Boolean).join(': '))
  }
}

const Id = z.union([z.string().min(1).max(256), z.number()]).transform(String)
export const Request = z.object({
  id: Id,
  version: z.string().optional(),
  method: z.string().optional(),
  params: z.unknown(),
  /** `ack: 0` asks for no answer. */
  sys: z.object({ ack: z.number().optional() }).optional(),
})
export type Request = z.infer<typeof Request>
/** A device's answer to a property set or a service call. */
export const Reply = z.object({
  id: Id,
  code: z.number().int(),
  message: z.string().optional(),
  data: z.unknown(),
})
export type Reply = { id: string; code: number; message?: string; data?: unknown }

/** The message, or undefined for what is not JSON of that shape. */
export function decode<T extends z.ZodType>(schema: T, payload: Buffer): z.infer<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(payload.toString('utf8'))).data
  } catch {
    return undefined
  }
}

export const answer = (
  request: { id: string; method?: string },
  code: number,
  data: unknown = {},
  message = messages[code] ?? '',
) => JSON.stringify({ id: request.id, code, data, message, method: request.method, version: '1.0' })

export const command = (id: string, method: string, params: unknown) =>
  JSON.stringify({ id, version: '1.0', params, method })
