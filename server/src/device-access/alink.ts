import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { isStorable } from '../core/db/storable'

/** Who speaks: the pair every Alink topic carries. */
export type Identity = { productKey: string; deviceName: string }
/** Of the error 6280: 4–32 letters, digits and some signs. */
export const DeviceName = /^[\w.:@-]{4,32}$/
export const keyOf = ({ productKey, deviceName }: Identity) => `${productKey}&${deviceName}`

/** What is answered, as far as Alibaba's documents and SDK headers name it; each with its source in docs/alink.md. */
export const alinkCode = {
  ok: 200,
  unauthorized: 401,
  tooManyChildren: 428,
  busy: 429,
  parameter: 460,
  noSession: 520,
  childDeleted: 521,
  childDisabled: 522,
  deviceMissing: 6100,
  tooManyAsked: 6104,
  tooMany: 6106,
  disabled: 6204,
  productMissing: 6250,
  wrongName: 6280,
  signature: 6287,
  registrationOff: 6288,
  alreadyActive: 6289,
  signMethod: 6292,
  identifier: 6304,
  type: 6305,
  int: 6306,
  float: 6307,
  bool: 6308,
  enum: 6309,
  text: 6310,
  date: 6311,
  struct: 6312,
  event: 6320,
  double: 6322,
  elements: 6324,
  time: 6326,
  array: 6328,
  tooManyEvents: 6356,
  tooManyChildrenAtOnce: 6357,
  topologyFull: 6400,
  topologyMissing: 6401,
  self: 6402,
  productSignature: 6600,
  boundElsewhere: 6619,
  noConfig: 6710,
  configOff: 6713,
} as const

const messages: Record<number, string> = {
  [alinkCode.ok]: 'success',
  [alinkCode.unauthorized]: 'request auth error',
  [alinkCode.tooManyChildren]: 'too many subdevices under gateway',
  [alinkCode.busy]: 'too many requests',
  [alinkCode.parameter]: 'request parameter error',
  [alinkCode.noSession]: 'device no session',
  [alinkCode.childDeleted]: 'device deleted',
  [alinkCode.childDisabled]: 'device forbidden',
  [alinkCode.deviceMissing]: 'device not found',
  [alinkCode.tooManyAsked]: 'list size must less than 200',
  [alinkCode.tooMany]: 'map size must less than 200',
  [alinkCode.disabled]: 'device is disabled',
  [alinkCode.productMissing]: 'product not found',
  [alinkCode.wrongName]: 'devicename not meet specs',
  [alinkCode.signature]: 'invalid sign',
  [alinkCode.registrationOff]: 'dynamic register is not allowed',
  [alinkCode.alreadyActive]: 'device is already active',
  [alinkCode.signMethod]: 'sign method is not supported',
  [alinkCode.identifier]: 'tsl parse: params not exist',
  [alinkCode.type]: 'tsl parse: params type error',
  [alinkCode.int]: 'tsl parse: int specs error',
  [alinkCode.float]: 'tsl parse: float specs error',
  [alinkCode.bool]: 'tsl parse: bool specs error',
  [alinkCode.enum]: 'tsl parse: enum specs error',
  [alinkCode.text]: 'tsl parse: string specs error',
  [alinkCode.date]: 'tsl parse: date specs error',
  [alinkCode.struct]: 'tsl parse: struct specs error',
  [alinkCode.event]: 'tsl parse: no such event in product',
  [alinkCode.double]: 'tsl parse: double specs error',
  [alinkCode.elements]: 'tsl parse: array specs error',
  [alinkCode.time]: 'tsl parse: time is not milliseconds',
  [alinkCode.array]: 'tsl parse: value is not an array',
  [alinkCode.tooManyEvents]: 'events size must less than 200',
  [alinkCode.tooManyChildrenAtOnce]: 'sub device size must less than 20',
  [alinkCode.topologyFull]: 'topo relation count exceed',
  [alinkCode.topologyMissing]: 'topo relation not exist',
  [alinkCode.self]: 'topo relation cannot add by self',
  [alinkCode.productSignature]: 'invalid sign of product',
  [alinkCode.boundElsewhere]: 'device has been bound to another gateway',
  [alinkCode.noConfig]: 'no data',
  [alinkCode.configOff]: 'thing config function is not available',
}

/** Ends a message with a code for the device; never reaches a browser. */
export class AlinkError extends Error {
  constructor(
    readonly code: number,
    detail = '',
    readonly data: unknown = {},
  ) {
    super([messages[code] ?? 'error', detail].filter(Boolean).join(' -> '))
  }
}

const Id = z.union([z.string().min(1).max(256), z.number()]).transform(String)
export const Request = z.object({
  id: Id,
  version: z.string().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  /** `ack: 0` asks for no answer. */
  sys: z.object({ ack: z.number().optional() }).optional(),
})
export type Request = z.infer<typeof Request>
/** A device's answer to a property set or a service call. */
export const Reply = z.object({
  id: Id,
  code: z.number().int(),
  message: z.string().optional(),
  data: z.unknown().optional(),
})
export type Reply = { id: string; code: number; message?: string; data?: unknown }

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const gbk = new TextDecoder('gb18030')

/**
 * The message, or undefined for what is not JSON of that shape in UTF-8. Of an answer in another encoding its id and code
 * are known all the same; its texts are left out, because they would be stored as what nobody can read.
 */
export function decode<T extends z.ZodType>(schema: T, payload: Buffer): z.infer<T> | undefined {
  if (isUtf8(payload)) return schema.safeParse(parseJson(payload.toString('utf8'))).data
  if ((schema as z.ZodType) !== Reply) return undefined
  const { data } = Reply.pick({ id: true, code: true }).safeParse(parseJson(gbk.decode(payload)))
  return data as z.infer<T> | undefined
}

/** The answer to a request that cannot be read; in GBK, whose ASCII is that of UTF-8, its id can. */
export function refuseUnreadable(payload: Buffer): string {
  const detail = isUtf8(payload) ? 'not a JSON request' : 'payload is not UTF-8'
  const { data: id = '' } = Id.safeParse((parseJson(gbk.decode(payload)) as { id?: unknown })?.id)
  return answer({ id }, alinkCode.parameter, {}, `${messages[alinkCode.parameter]} -> ${detail}`)
}

export const answer = (
  request: { id: string; method?: string },
  code: number,
  data: unknown = {},
  message = messages[code] ?? '',
) => JSON.stringify({ id: request.id, code, data, message, method: request.method, version: '1.0' })

export const command = (id: string, method: string, params: unknown) =>
  JSON.stringify({ id, version: '1.0', params, method })

/** Parameters of a request as they should be, or the code for what they are. */
export function paramsOf<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const { data, success } = schema.safeParse(params)
  if (!success || !isStorable(data)) throw new AlinkError(alinkCode.parameter)
  return data
}
