/** Verdict on the first packet; `answer` is the CONNACK of a refusal, which the client's library understands. */
export type ConnectVerdict =
  | 'unfinished'
  | 'fine'
  | { reason: 'protocolVersion' | 'notMqtt' | 'tlsOnPlainPort'; answer?: Buffer }

const connectPacketType = 0x10
/** First byte of a TLS handshake (RFC 8446, 5.1); no MQTT packet begins with it. */
const tlsHandshakeType = 0x16
/** MQTT 3 answers with CONNACK “unacceptable protocol version”. */
const connackWrongVersion = Buffer.from([0x20, 0x02, 0x00, 0x01])
/** MQTT 5 answers with reason 0x84 and no properties. Client libraries fall back to 3.1.1 or report the reason. */
const connackWrongVersion5 = Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00])

/**
 * Reads protocol name and version of the first packet. The broker speaks 3.1 and 3.1.1 and closes silently on any other
 * version, which makes clients retry forever. Bytes that are no CONNECT are refused without an answer.
 */
export function checkConnectPacket(bytes: Buffer): ConnectVerdict {
  if (bytes.length === 0) return 'unfinished'
  const reason = 'protocolVersion'
  if (bytes[0] === tlsHandshakeType) return { reason: 'tlsOnPlainPort' }
  if ((bytes[0]! & 0xf0) !== connectPacketType) return { reason: 'notMqtt' }
  const offset = findBodyOffset(bytes)
  if (bytes.length < offset + 2) return 'unfinished'
  const nameLength = bytes.readUInt16BE(offset)
  if (nameLength > 6) return { reason, answer: connackWrongVersion }
  if (bytes.length < offset + 2 + nameLength + 1) return 'unfinished'
  const name = bytes.toString('latin1', offset + 2, offset + 2 + nameLength)
  // A bridge sets the high bit of the level.
  const level = bytes[offset + 2 + nameLength]! & 0x7f
  if ((name === 'MQTT' && level === 4) || (name === 'MQIsdp' && level === 3)) return 'fine'
  // A refused client is recorded by name, and the names stand at the end of the packet.
  if (bytes.length < offset + readRemainingLength(bytes)) return 'unfinished'
  return { reason, answer: level === 5 ? connackWrongVersion5 : connackWrongVersion }
}

/** Returns the offset after the length field, which has at most four bytes; the guard closes on a longer one. */
function findBodyOffset(bytes: Buffer) {
  let offset = 1
  while (offset < 5 && offset < bytes.length && bytes[offset]! & 0x80) offset++
  return offset + 1
}

/** Returns the number of bytes that follow the length field. */
const readRemainingLength = (bytes: Buffer) =>
  bytes
    .subarray(1, findBodyOffset(bytes))
    .reduce((length, byte, index) => length + ((byte & 0x7f) << (7 * index)), 0)

/** Reads client id and user name from a CONNECT of any version; both are empty if the packet is none. */
export function readConnectNames(bytes: Buffer) {
  const names = { clientId: '', username: '' }
  let offset = findBodyOffset(bytes)
  function readText() {
    const start = offset + 2
    const end = start + bytes.readUInt16BE(offset)
    if (end > bytes.length) throw new RangeError('beyond the packet')
    offset = end
    return bytes.toString('utf8', start, end)
  }
  function skipProperties() {
    let length = 0
    let shift = 0
    let byte
    do {
      byte = bytes.readUInt8(offset++)
      length |= (byte & 0x7f) << shift
      shift += 7
    } while (byte & 0x80 && shift < 28)
    offset += length
  }
  try {
    readText()
    const hasProperties = (bytes.readUInt8(offset) & 0x7f) === 5
    const flags = bytes.readUInt8(offset + 1)
    // These four bytes are level, flags and keep-alive.
    offset += 4
    if (hasProperties) skipProperties()
    names.clientId = readText()
    if (flags & 0x04) {
      if (hasProperties) skipProperties()
      readText()
      readText()
    }
    if (flags & 0x80) names.username = readText()
  } catch {
    // A malformed packet leaves the remaining names empty.
  }
  return names
}
