import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { Refused } from './refused.ts'

export type Keys = {
  /** Only builds that its other half has signed may be served; without one, any. */
  publicKey?: KeyObject
  /** Signs what is published; its place is with who publishes, not with the site. */
  privateKey?: KeyObject
}

/** @throws Refused where the file holds no such key */
export function readKey(kind: keyof Keys, file: string): KeyObject {
  const isPrivate = kind === 'privateKey'
  const refuse = (why: string) => new Refused(`${file} ${why}`)
  let key: KeyObject
  try {
    const pem = readFileSync(file, 'utf8')
    // Of a private key Node makes the public one without a word, and it would lie with the server.
    if (!isPrivate && pem.includes('PRIVATE KEY')) throw refuse('是私钥，这里要公钥')
    key = isPrivate ? createPrivateKey(pem) : createPublicKey(pem)
  } catch (error) {
    throw error instanceof Refused ? error : refuse(isPrivate ? '不是私钥' : '不是公钥')
  }
  if (key.asymmetricKeyType !== 'ed25519') throw refuse('不是 Ed25519 密钥')
  return key
}

/** Writes a new pair: the private key into the file, readable to its owner alone, the public one beside it. */
export function writeKeys(file: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pub = `${file}.pub`
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
      flag: 'wx',
      mode: 0o600,
    })
    writeFileSync(pub, publicKey.export({ type: 'spki', format: 'pem' }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new Refused(`${file} 已经存在`)
    throw error
  }
  return pub
}

/** As a page gets it: the 32 bytes alone. */
export const bareKey = (key: KeyObject) =>
  Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64')

export const signatureOf = (text: Buffer, key: KeyObject) =>
  sign(null, text, key).toString('base64')

/** Why nobody with the key has signed this record for this name and build; undefined where somebody has. */
export function unsigned(
  key: KeyObject,
  text: Buffer,
  signature: string | undefined,
  { name, build }: { name: string; build: string },
) {
  if (!signature) return '没有签名'
  if (!verify(null, text, key, Buffer.from(signature, 'base64'))) return '的签名与公钥不符'
  const of = JSON.parse(text.toString()) as { name: string; build: string }
  return of.name === name && of.build === build ? undefined : `的签名是 ${of.name} ${of.build} 的`
}
