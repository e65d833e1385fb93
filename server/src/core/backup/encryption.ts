import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import { z } from 'zod'
import { BackupRefusal } from './format'

const magic = 'IOT-CONSOLE-BACKUP-ENCRYPTED 1\n'
const cipher = 'aes-256-gcm'
const chunkBytes = 64 * 1024
const tagBytes = 16
const maxFrameHeaderBytes = 1024
/** Cost recommended by OWASP for scrypt: 128 MB of memory and about half a second. */
const scryptCost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Kept for the caller to compare with the first bytes of a file. */
export const encryptedMagic = Buffer.from(magic)

const FrameHeader = z.object({
  salt: z.base64().length(24),
  noncePrefix: z.base64().length(12),
  /** Part of the derived key that tells a wrong passphrase from a damaged file. */
  check: z.base64(),
})

async function deriveKeys(passphrase: string, salt: Buffer) {
  const derive = promisify<string, Buffer, number, typeof scryptCost, Buffer>(scrypt)
  const keys = await derive(passphrase.normalize('NFC'), salt, 64, scryptCost)
  const check = createHash('sha256').update(keys.subarray(32)).digest().subarray(0, 16)
  return { key: keys.subarray(0, 32), check }
}

/**
 * Each chunk has its number and a mark of the last one in its nonce, so that removed, repeated, reordered and truncated
 * chunks fail (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, as in age).
 */
function buildNonce(prefix: Buffer, index: number, isLast: boolean) {
  const nonce = Buffer.alloc(12)
  prefix.copy(nonce, 0, 0, 7)
  nonce.writeUInt32BE(index, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream into chunks of one size; the last one may be shorter and is known only at the end. */
abstract class ChunkTransform extends Transform {
  private buffered: Buffer = Buffer.alloc(0)
  protected index = 0
  constructor(private readonly size: number) {
    super()
  }
  protected abstract convert(chunk: Buffer, isLast: boolean): Buffer

  override _transform(data: Buffer, _encoding: string, callback: TransformCallback) {
    try {
      this.buffered = this.buffered.length === 0 ? data : Buffer.concat([this.buffered, data])
      let start = 0
      // The last full chunk waits, because it may be the end of the stream.
      for (; this.buffered.length - start > this.size; start += this.size)
        this.push(this.convert(this.buffered.subarray(start, start + this.size), false))
      this.buffered = this.buffered.subarray(start)
      callback()
    } catch (error) {
      callback(error as Error)
    }
  }
  override _flush(callback: TransformCallback) {
    try {
      this.push(this.convert(this.buffered, true))
      callback()
    } catch (error) {
      callback(error as Error)
    }
  }
}

class Encryptor extends ChunkTransform {
  constructor(
    private readonly key: Buffer,
    private readonly prefix: Buffer,
    private readonly frameHeader: Buffer,
  ) {
    super(chunkBytes)
    this.push(frameHeader)
  }
  protected convert(chunk: Buffer, isLast: boolean) {
    const nonce = buildNonce(this.prefix, this.index++, isLast)
    const encryptor = createCipheriv(cipher, this.key, nonce).setAAD(this.frameHeader)
    return Buffer.concat([encryptor.update(chunk), encryptor.final(), encryptor.getAuthTag()])
  }
}

class Decryptor extends ChunkTransform {
  constructor(
    private readonly key: Buffer,
    private readonly prefix: Buffer,
    private readonly frameHeader: Buffer,
  ) {
    super(chunkBytes + tagBytes)
  }
  protected convert(chunk: Buffer, isLast: boolean) {
    const nonce = buildNonce(this.prefix, this.index++, isLast)
    try {
      const decryptor = createDecipheriv(cipher, this.key, nonce).setAAD(this.frameHeader)
      decryptor.setAuthTag(chunk.subarray(chunk.length - tagBytes))
      const text = decryptor.update(chunk.subarray(0, chunk.length - tagBytes))
      return Buffer.concat([text, decryptor.final()])
    } catch {
      throw new BackupRefusal('备份文件已损坏或不完整（解密校验失败）')
    }
  }
}

/** Returns a stream that encrypts with a key derived from the passphrase. */
export async function createEncryptor(passphrase: string): Promise<Transform> {
  const salt = randomBytes(16)
  const prefix = randomBytes(7)
  const { key, check } = await deriveKeys(passphrase, salt)
  const header = {
    salt: salt.toString('base64'),
    noncePrefix: prefix.toString('base64'),
    check: check.toString('base64'),
  } satisfies z.infer<typeof FrameHeader>
  return new Encryptor(key, prefix, Buffer.from(`${magic}${JSON.stringify(header)}\n`))
}

/**
 * Reads the frame header at the start of an encrypted file.
 * @returns the decrypting stream and the position at which its input starts
 * @throws BackupRefusal if the header is damaged or the passphrase is wrong
 */
export async function createDecryptor(fileStart: Buffer, passphrase: string) {
  const end = fileStart.indexOf('\n', magic.length)
  const header = readFrameHeader(fileStart.subarray(magic.length, Math.max(end, 0)).toString())
  const prefix = Buffer.from(header.noncePrefix, 'base64')
  const { key, check } = await deriveKeys(passphrase, Buffer.from(header.salt, 'base64'))
  const storedCheck = Buffer.from(header.check, 'base64')
  if (storedCheck.length !== check.length || !timingSafeEqual(storedCheck, check))
    throw new BackupRefusal('口令不对，不能解开这份备份')
  return { decryptor: new Decryptor(key, prefix, fileStart.subarray(0, end + 1)), start: end + 1 }
}

function readFrameHeader(text: string) {
  try {
    return FrameHeader.parse(JSON.parse(text))
  } catch {
    throw new BackupRefusal('备份文件已损坏（加密信息读不出来）')
  }
}

/** Bytes at the start of a file that contain its frame header. */
export const frameHeaderBytes = magic.length + maxFrameHeaderBytes
