/** A CONNECT that is refused before the broker sees it, with the answer its library understands. */
export type Opening = 'unfinished' | 'fine' | { answer: Buffer; reason: string }

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
  let at = 1
  // At most four bytes of length; the guard closes on more.
  while (at < 5 && at < bytes.length && bytes[at]! & 0x80) at++
  at++
  if (bytes.length < at + 2) return 'unfinished'
  const nameLength = bytes.readUInt16BE(at)
  if (nameLength > 6) return { answer: wrongVersion, reason: 'protocol name' }
  if (bytes.length < at + 2 + nameLength + 1) return 'unfinished'
  const name = bytes.toString('latin1', at + 2, at + 2 + nameLength)
  // The high bit is a bridge's.
  const level = bytes[at + 2 + nameLength]! & 0x7f
  if ((name === 'MQTT' && level === 4) || (name === 'MQIsdp' && level === 3)) return 'fine'
  return { answer: level === 5 ? wrongVersion5 : wrongVersion, reason: `${name} ${level}` }
}
