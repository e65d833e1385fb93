import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { isStorable } from '../../core/db/storable'

/** Identity of a device on the wire. Every Alink topic carries this pair. */
export type Identity = { productKey: string; deviceName: string }
/** Alink error 6280 documents the rule: a device name has 4–32 letters, digits and the signs `_ . : @ -`. */
export const DeviceName = /^[\w.:@-]{4,32}$/
export const deviceKey = ({ productKey, deviceName }: Identity) => `${productKey}&${deviceName}`

/** Reply codes documented by Alibaba or its SDK headers; docs/alink.md gives the source of each code. */
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

const errorMessages: Record<number, string> = {
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

/** Ends the handling of a message; `code` and `data` go into the reply to the device and never reach a browser. */
export class AlinkError extends Error {
  constructor(
    readonly code: number,
    detail = '',
    readonly data: unknown = {},
  ) {
    super([errorMessages[code] ?? 'error', detail].filter(Boolean).join(' -> '))
  }
}

/** A numeric id is stored as its digits, because a number beyond 2^53 would lose precision. */
const Id = z.string().min(1).max(256)
const numericId = { hasNumericId: z.boolean().default(false) }
export const Request = z.object({
  id: Id,
  ...numericId,
  version: z.string().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  /** A device that sends `ack: 0` wants no reply. */
  sys: z.object({ ack: z.number().optional() }).optional(),
})
export type Request = z.infer<typeof Request>
/** A device sends this reply to a property set or a service call. */
export const Reply = z.object({
  id: Id,
  code: z.number().int(),
  message: z.string().optional(),
  data: z.unknown().optional(),
})
export type Reply = { id: string; code: number; message?: string; data?: unknown }

const parseJson = (text: string): unknown => {
  try {
    return restoreRawId(JSON.parse(text), text)
  } catch {
    return undefined
  }
}
const gbkDecoder = new TextDecoder('gb18030')

/**
 * Decodes a message; returns undefined if it is not JSON of this shape in UTF-8. If a reply has another encoding, only
 * its id and code are read, because its texts would be stored as unreadable characters.
 */
export function decode<T extends z.ZodType>(schema: T, payload: Buffer): z.infer<T> | undefined {
  if (isUtf8(payload)) return schema.safeParse(parseJson(payload.toString('utf8'))).data
  if ((schema as z.ZodType) !== Reply) return undefined
  const { data } = Reply.pick({ id: true, code: true }).safeParse(
    parseJson(gbkDecoder.decode(payload)),
  )
  return data as z.infer<T> | undefined
}

/**
 * Builds the reply to an undecodable request. The id of a GBK request is still readable, because GBK agrees with UTF-8
 * in ASCII.
 */
export function buildUnreadableReply(payload: Buffer): string {
  const detail = isUtf8(payload) ? 'not a JSON request' : 'payload is not UTF-8'
  const parsedId = Request.pick({ id: true, hasNumericId: true }).safeParse(
    parseJson(gbkDecoder.decode(payload)),
  )
  return encodeReply(
    parsedId.data ?? { id: '' },
    alinkCode.parameter,
    {},
    `${errorMessages[alinkCode.parameter]} -> ${detail}`,
  )
}

/** Replaces a numeric id by the text that was sent. `hasNumericId` is always set here, so a sender cannot forge it. */
function restoreRawId(message: unknown, text: string): unknown {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return message
  if (!('id' in message) || typeof message.id !== 'number')
    return { ...message, hasNumericId: false }
  return { ...message, id: findNumericId(text) ?? String(message.id), hasNumericId: true }
}

/** Returns the digits of the last `id` in the outermost object, which is the one that `JSON.parse` keeps. */
function findNumericId(text: string) {
  let depth = 0
  let lastId: string | undefined
  const tokenPattern = /[{}[\]]|"(?:[^"\\]|\\.)*"(?:\s*:\s*(-?\d[\d.eE+-]*)?)?/g
  for (const [token, number] of text.matchAll(tokenPattern)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && number !== undefined && /^"id"\s*:/.test(token)) lastId = number
  }
  return lastId
}

export function encodeReply(
  { id, hasNumericId, method }: { id: string; hasNumericId?: boolean; method?: string },
  code: number,
  data: unknown = {},
  message = errorMessages[code] ?? '',
) {
  const rest = JSON.stringify({ code, data, message, method, version: '1.0' })
  return `{"id":${hasNumericId ? id : JSON.stringify(id)},${rest.slice(1)}`
}

export const encodeCommand = (id: string, method: string, params: unknown) =>
  JSON.stringify({ id, version: '1.0', params, method })

/**
 * Parses the parameters of a request.
 * @throws AlinkError 460 if they do not match the schema or cannot be stored
 */
export function parseParams<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const { data, success } = schema.safeParse(params)
  if (!success || !isStorable(data)) throw new AlinkError(alinkCode.parameter)
  return data
}
