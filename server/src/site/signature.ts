import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { ReleaseRefusal } from './releaseRefusal.ts'

export type SiteKeys = {
  /** If set, only builds signed with the matching private key may be served. */
  publicKey?: KeyObject
  /** Signs published builds. It belongs on the machine that publishes and not on the server. */
  privateKey?: KeyObject
}

/** @throws ReleaseRefusal if the file holds no Ed25519 key of this kind */
export function readKey(kind: keyof SiteKeys, file: string): KeyObject {
  const isPrivate = kind === 'privateKey'
  const createRefusal = (reason: string) => new ReleaseRefusal(`${file} ${reason}`)
  let key: KeyObject
  try {
    const pem = readFileSync(file, 'utf8')
    // Node silently derives the public key from a private one, so a private key would stay on the server unnoticed.
    if (!isPrivate && pem.includes('PRIVATE KEY')) throw createRefusal('是私钥，这里要公钥')
    key = isPrivate ? createPrivateKey(pem) : createPublicKey(pem)
  } catch (error) {
    throw error instanceof ReleaseRefusal
      ? error
      : createRefusal(isPrivate ? '不是私钥' : '不是公钥')
  }
  if (key.asymmetricKeyType !== 'ed25519') throw createRefusal('不是 Ed25519 密钥')
  return key
}

/**
 * Creates a key pair: the private key in `file`, readable only by its owner, and the public key in `file.pub`.
 * @throws ReleaseRefusal if the file exists
 */
export function writeKeys(file: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const publicKeyFile = `${file}.pub`
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
      flag: 'wx',
      mode: 0o600,
    })
    writeFileSync(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new ReleaseRefusal(`${file} 已经存在`)
    throw error
  }
  return publicKeyFile
}

/** Returns the 32 bytes of a public key in base64, as the page gets it. */
export const encodeRawKey = (key: KeyObject) =>
  Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64')

export const signContent = (text: Buffer, key: KeyObject) =>
  sign(null, text, key).toString('base64')

/** Returns why the signature of a record is not valid for this name and build, or undefined if it is valid. */
export function findSignatureFault(
  key: KeyObject,
  text: Buffer,
  signature: string | undefined,
  { name, build }: { name: string; build: string },
) {
  if (!signature) return '没有签名'
  if (!verify(null, text, key, Buffer.from(signature, 'base64'))) return '的签名与公钥不符'
  const signedRecord = JSON.parse(text.toString()) as { name: string; build: string }
  return signedRecord.name === name && signedRecord.build === build
    ? undefined
    : `的签名是 ${signedRecord.name} ${signedRecord.build} 的`
}
