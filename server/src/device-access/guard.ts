import { Duplex } from 'node:stream'
import { readConnectNames, readOpening } from './opening'

export type Limits = {
  /** Bytes of the first packet, before anybody is known. */
  firstPacket: number
  /** Bytes of any later packet. */
  packet: number
  /** Bytes that wait for a device to read them. */
  unread: number
  connectionsPerAddress: number
  connections: number
}
export const defaultLimits: Limits = {
  firstPacket: 4096,
  packet: 256 * 1024,
  // Commands for all children of a gateway, twice over.
  unread: 1024 * 1024,
  // A site of thousands of devices stands behind one address; strangers are limited by the time until CONNECT.
  connectionsPerAddress: 4096,
  // 17 kB each, and as many descriptors; the embedded broker is for fewer devices.
  connections: 16_384,
}

export const unreadTooLong = 'reads too slowly'

/**
 * A socket that reads MQTT's own length of each packet and closes before an oversized one is collected:
 * the broker's parser would keep up to 256 MB in memory for a stranger.
 *
 * The broker waits for whoever it writes to, a hundred messages at once, and then for nobody else. So a device is not
 * waited for: what it does not read lies in memory, and ends the connection when it is too much.
 */
export class GuardedSocket extends Duplex {
  /** Bytes of the current packet still to come; while 0 the header is read. */
  #body = 0
  #length = 0
  #shift = -1
  #first = true
  /** The beginning of the first packet, until it says what protocol it is. */
  #opening: Buffer | undefined = Buffer.alloc(0)
  #isRefused = false
  /** The platform, which everybody waits for; it is in this process. */
  isWaitedFor = false

  constructor(
    private readonly socket: Duplex,
    private readonly limits: Limits,
    readonly remoteAddress = '',
    readonly way: 'tcp' | 'tls' | 'ws' | 'wss' = 'tcp',
    private readonly onWrongVersion?: (names: ReturnType<typeof readConnectNames>) => void,
  ) {
    super({ allowHalfOpen: false })
    socket.on('data', (chunk: Buffer) => {
      if (!this.#fits(chunk)) return void this.destroy(new Error('packet too large'))
      const ready = this.#opening ? this.#open(Buffer.concat([this.#opening, chunk])) : chunk
      if (ready && !this.push(ready)) socket.pause()
    })
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /** What may go on to the broker. */
  #open(bytes: Buffer) {
    const opening = readOpening(bytes)
    if (opening === 'fine') {
      this.#opening = undefined
      return bytes
    }
    this.#opening = bytes
    if (opening !== 'unfinished') {
      // Further bytes of a refused connection are ignored.
      if (!this.#isRefused) this.onWrongVersion?.(readConnectNames(bytes))
      this.#isRefused = true
      this.socket.end(opening.answer, () => this.destroy())
    }
    return undefined
  }

  #fits(chunk: Buffer) {
    for (let at = 0; at < chunk.length;) {
      if (this.#body > 0) {
        const taken = Math.min(this.#body, chunk.length - at)
        this.#body -= taken
        at += taken
        continue
      }
      const byte = chunk[at++]!
      if (this.#shift < 0) {
        this.#shift = 0
        this.#length = 0
        continue
      }
      this.#length |= (byte & 0x7f) << this.#shift
      this.#shift += 7
      if (byte & 0x80) {
        if (this.#shift > 21) return false
        continue
      }
      if (this.#length > (this.#first ? this.limits.firstPacket : this.limits.packet)) return false
      this.#first = false
      this.#shift = -1
      this.#body = this.#length
    }
    return true
  }

  override _read() {
    this.socket.resume()
  }
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    const room = this.socket.write(chunk)
    if (room) done()
    else if (this.isWaitedFor) this.socket.once('drain', done)
    else if (this.socket.writableLength > this.limits.unread) done(new Error(unreadTooLong))
    else done()
  }
  override _final(done: () => void) {
    this.socket.end()
    done()
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.socket.destroy()
    done(error)
  }
}
