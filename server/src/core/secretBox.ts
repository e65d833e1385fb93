import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** The stored secret was encrypted with another key, so it must be entered again. */
export class SecretUnreadableError extends Error {
  override name = 'SecretUnreadableError'
}

export type SecretKeySource = {
  /** Secret text that all processes of one database share. */
  secretKey?: string
  /** The key stands in this file otherwise; it is created at the first use, readable by its owner only. */
  secretKeyFile?: string
}

function readKeyFile(path: string) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dirname(path), { recursive: true })
  try {
    // Another process of this machine may create the file at the same moment; then its key counts.
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}

/**
 * Encrypts secrets for the database with a key that is outside of it, so that a copy of the database alone discloses
 * none. `purpose` separates the secrets of different tables. Without a source the key lasts as long as the process.
 * @example const box = createSecretBox(app.settings, 'notificationChannel'); box.open(box.seal('text'))
 */
export function createSecretBox({ secretKey, secretKeyFile }: SecretKeySource, purpose: string) {
  let derivedKey: { key: Buffer; id: string } | undefined
  const getKey = () => {
    if (derivedKey) return derivedKey
    const text =
      secretKey ?? (secretKeyFile ? readKeyFile(secretKeyFile) : randomBytes(32).toString('hex'))
    const key = Buffer.from(hkdfSync('sha256', text, 'secretBox', purpose, 32))
    derivedKey = { key, id: createHash('sha256').update(key).digest('base64url').slice(0, 8) }
    return derivedKey
  }
  return {
    seal(text: string) {
      const { key, id } = getKey()
      const iv = randomBytes(ivBytes)
      const encryptor = createCipheriv(cipher, key, iv)
      const data = Buffer.concat([encryptor.update(text, 'utf8'), encryptor.final()])
      return `1.${id}.${Buffer.concat([iv, encryptor.getAuthTag(), data]).toString('base64url')}`
    },
    /** @throws SecretUnreadableError if the text was sealed with another key or has been changed */
    open(sealedText: string) {
      const { key } = getKey()
      const bytes = Buffer.from(sealedText.split('.')[2] ?? '', 'base64url')
      try {
        const decryptor = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes))
        decryptor.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
        return Buffer.concat([
          decryptor.update(bytes.subarray(ivBytes + tagBytes)),
          decryptor.final(),
        ]).toString('utf8')
      } catch {
        throw new SecretUnreadableError('密钥与保存时的不同，无法读取，请重新填写密钥')
      }
    },
  }
}
export type SecretBox = ReturnType<typeof createSecretBox>
