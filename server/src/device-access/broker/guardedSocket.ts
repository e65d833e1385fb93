import { Duplex } from 'node:stream'
import type { RefusalReason } from '@iot/shared/contract/device/connectionRefusal.schema'
import { readConnectNames, checkConnectPacket } from './connectPacket'

export type ConnectionLimits = {
  /** Maximum bytes of the first packet, before the client is authenticated. */
  firstPacket: number
  /** Maximum bytes of any later packet. */
  packet: number
  /** Maximum bytes buffered for a device that does not read them. */
  unread: number
  connectionsPerAddress: number
  connections: number
}
export const defaultConnectionLimits: ConnectionLimits = {
  firstPacket: 4096,
  packet: 256 * 1024,
  // This holds twice the commands for all sub-devices of one gateway.
  unread: 1024 * 1024,
  // A site with thousands of devices may stand behind one address; unauthenticated clients are limited by the CONNECT
  // timeout.
  connectionsPerAddress: 4096,
  // Each connection takes 17 kB and a file descriptor; the embedded broker is meant for fewer devices.
  connections: 16_384,
}

export const slowReaderMessage = 'reads too slowly'

/**
 * Reads the MQTT packet length and closes the connection before an oversized packet is buffered: the parser of the
 * broker would hold up to 256 MB for an unauthenticated client.
 *
 * The broker handles at most a hundred messages at once and waits until each is written, so one slow device would
 * block all others. This socket therefore reports every write as done, buffers unread data and closes the connection
 * when the buffer exceeds its limit.
 */
export class GuardedSocket extends Duplex {
  /** Bytes of the current packet still to come; while 0 the header is read. */
  #body = 0
  #length = 0
  #shift = -1
  #first = true
  /** First packet as far as received, kept until its protocol is known. */
  #opening: Buffer | undefined = Buffer.alloc(0)
  #isRefused = false
  /** True for the platform's own connection, which may block the broker because it lives in the same process. */
  canBlockBroker = false

  constructor(
    private readonly socket: Duplex,
    private readonly limits: ConnectionLimits,
    readonly remoteAddress = '',
    readonly transport: 'tcp' | 'tls' | 'ws' | 'wss' = 'tcp',
    private readonly onRefused?: (
      reason: RefusalReason,
      names: ReturnType<typeof readConnectNames>,
    ) => void,
  ) {
    super({ allowHalfOpen: false })
    socket.on('data', (chunk: Buffer) => {
      const opening = this.#opening && Buffer.concat([this.#opening, chunk])
      if (!this.#fits(chunk)) {
        if (opening) this.#refuseLarge(opening)
        return void this.destroy(new Error('packet too large'))
      }
      const forwardedBytes = opening ? this.#open(opening) : chunk
      if (forwardedBytes && !this.push(forwardedBytes)) socket.pause()
    })
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /** Returns the bytes that may pass to the broker. */
  #open(bytes: Buffer) {
    const verdict = checkConnectPacket(bytes)
    if (verdict === 'fine') {
      this.#opening = undefined
      return bytes
    }
    this.#opening = bytes
    if (verdict !== 'unfinished') {
      this.#recordRefusal(verdict.reason, bytes)
      this.socket.end(verdict.answer, () => this.destroy())
    }
    return undefined
  }
  /** The names of a large packet are read from the part that has arrived. */
  #refuseLarge(bytes: Buffer) {
    const verdict = checkConnectPacket(bytes)
    const isOtherProtocol = typeof verdict === 'object' && !verdict.answer
    if (isOtherProtocol) this.#recordRefusal(verdict.reason, bytes)
    else if (this.#first) this.#recordRefusal('connectTooLarge', bytes)
  }
  /** Bytes after a refused packet are not examined again. */
  #recordRefusal(reason: RefusalReason, bytes: Buffer) {
    if (this.#isRefused) return
    this.#isRefused = true
    const isConnect = reason !== 'notMqtt' && reason !== 'tlsOnPlainPort'
    this.onRefused?.(reason, isConnect ? readConnectNames(bytes) : { clientId: '', username: '' })
  }

  #fits(chunk: Buffer) {
    for (let offset = 0; offset < chunk.length;) {
      if (this.#body > 0) {
        const skippedBytes = Math.min(this.#body, chunk.length - offset)
        this.#body -= skippedBytes
        offset += skippedBytes
        continue
      }
      const byte = chunk[offset++]!
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
  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ) {
    const hasRoom = this.socket.write(chunk)
    if (hasRoom) callback()
    else if (this.canBlockBroker) this.socket.once('drain', callback)
    else if (this.socket.writableLength > this.limits.unread) callback(new Error(slowReaderMessage))
    else callback()
  }
  override _final(callback: () => void) {
    this.socket.end()
    callback()
  }
  override _destroy(error: Error | null, callback: (error: Error | null) => void) {
    this.socket.destroy()
    callback(error)
  }
}
