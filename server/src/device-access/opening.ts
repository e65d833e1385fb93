/** A CONNECT that is refused before the broker sees it, with the answer its library understands. */
export type Opening = 'unfinished' | 'fine' | { answer: Buffer }

const connect = 0x10
/** Of MQTT 3: CONNACK with “unacceptable protocol version”. */
const wrongVersion = Buffer.from([0x20, 0x02, 0x00, 0x01])
/** The same in the words of MQTT 5: reason 0x84, no properties. Libraries fall back to 3.1.1 on it, or say so. */
const wrongVersion5 = Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00])

/**
 * Reads protocol name and version of the first packet. The broker speaks 3.1 and 3.1.1 and closes without a word on
 * anything else, on which clients try again for ever.
 */
export function readOpening(bytes: Buffer): Opening {
  if (bytes.length === 0) return 'unfinished'
  if ((bytes[0]! & 0xf0) !== connect) return 'fine'
  const at = findBody(bytes)
  if (bytes.length < at + 2) return 'unfinished'
  const nameLength = bytes.readUInt16BE(at)
  if (nameLength > 6) return { answer: wrongVersion }
  if (bytes.length < at + 2 + nameLength + 1) return 'unfinished'
  const name = bytes.toString('latin1', at + 2, at + 2 + nameLength)
  // The high bit is a bridge's.
  const level = bytes[at + 2 + nameLength]! & 0x7f
  if ((name === 'MQTT' && level === 4) || (name === 'MQIsdp' && level === 3)) return 'fine'
  // The log of refusals needs the username, which stands at the end of the packet.
  if (bytes.length < at + readLength(bytes)) return 'unfinished'
  return { answer: level === 5 ? wrongVersion5 : wrongVersion }
}

/** Offset of the body, behind a length field of at most four bytes; the guard closes on more. */
function findBody(bytes: Buffer) {
  let at = 1
  while (at < 5 && at < bytes.length && bytes[at]! & 0x80) at++
  return at + 1
}

/** Number of bytes that follow the length field of the packet. */
const readLength = (bytes: Buffer) =>
  bytes
    .subarray(1, findBody(bytes))
    .reduce((length, byte, index) => length + ((byte & 0x7f) << (7 * index)), 0)

/** Reads client id and username of a CONNECT packet of any version; empty strings where it has none. */
export function readConnectNames(bytes: Buffer) {
  const names = { clientId: '', username: '' }
  let at = findBody(bytes)
  function readText() {
    const from = at + 2
    const end = from + bytes.readUInt16BE(at)
    if (end > bytes.length) throw new RangeError('beyond the packet')
    at = end
    return bytes.toString('utf8', from, end)
  }
  function skipProperties() {
    let length = 0
    let shift = 0
    let byte
    do {
      byte = bytes.readUInt8(at++)
      length |= (byte & 0x7f) << shift
      shift += 7
    } while (byte & 0x80 && shift < 28)
    at += length
  }
  try {
    readText()
    const hasProperties = (bytes.readUInt8(at) & 0x7f) === 5
    const flags = bytes.readUInt8(at + 1)
    // The protocol level, the flags and two bytes of keep-alive are skipped.
    at += 4
    if (hasProperties) skipProperties()
    names.clientId = readText()
    if (flags & 0x04) {
      if (hasProperties) skipProperties()
      readText()
      readText()
    }
    if (flags & 0x80) names.username = readText()
  } catch {
    // A malformed packet keeps the names that were read so far.
  }
  return names
}
