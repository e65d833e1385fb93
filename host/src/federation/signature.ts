import { readPageMeta } from '@iot/shared/client/pageMeta'
import { getBuildFolder, signatureFile } from '@iot/shared/contract/release/release'
import type { ReleaseRecord } from '@iot/shared/contract/release/release.schema'
import { reportError } from '../pages/errors/reportError'
import { LoadFailure, asLoadFailure } from './failure'
import { fetchFile } from './files'

const publicKey = readPageMeta('release-key')
/**
 * A site with a key runs only remotes whose records are signed with it. A web server without support for keys leaves
 * the placeholder in the page.
 */
export const hasReleaseKey = publicKey?.length === 44

const algorithm = 'Ed25519'
const decodeBase64 = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
const importKey = async () =>
  crypto.subtle.importKey('raw', decodeBase64(publicKey!), algorithm, false, ['verify'])

/** Returns the text of a release record if its signature is valid for this name and build. */
export async function verifyRecordSignature(record: Promise<string>, name: string, build: string) {
  // Chromium before 137 lacks Ed25519 keys, and pages over plain HTTP have no key API. The check by the server must
  // suffice there.
  const key = await importKey().catch(() => undefined)
  if (!key) return record
  const file = `/${getBuildFolder(name, build)}/${signatureFile}`
  const [text, signature] = await Promise.all([
    record,
    fetchFile(file, { type: /plain|octet/, cache: 'no-cache' }).catch(treatMissingAsEmpty),
  ])
  const parsedRecord = JSON.parse(text) as ReleaseRecord
  const isSigned = async () =>
    crypto.subtle.verify(algorithm, key, decodeBase64(signature), new TextEncoder().encode(text))
  if (
    parsedRecord.name === name &&
    parsedRecord.build === build &&
    (await isSigned().catch(() => false))
  )
    return text
  const failure = new LoadFailure('script', '没有与站点公钥相符的签名', file)
  reportError(failure)
  throw failure
}

/** A missing signature is treated as a wrong one, but a network failure is rethrown because a retry may help. */
function treatMissingAsEmpty(error: unknown) {
  if (asLoadFailure(error).kind === 'network') throw error
  return ''
}
