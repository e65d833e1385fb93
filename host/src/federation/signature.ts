import { readPageMeta } from '@iot/shared/client/pageMeta'
import { getBuildFolder, signatureFile, type ReleaseRecord } from '@iot/shared/contract/release'
import { reportError } from '../pages/errors/reportError'
import { LoadFailure, asLoadFailure } from './failure'
import { fetchFile } from './files'

const bare = readPageMeta('release-key')
/**
 * A site with a key runs only remotes whose records are signed with it. A web server without support for keys leaves
 * the placeholder in the page.
 */
export const isKeyed = bare?.length === 44

const algorithm = 'Ed25519'
const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
const imported = async () =>
  crypto.subtle.importKey('raw', bytes(bare!), algorithm, false, ['verify'])

/** Returns the text of a release record if its signature is valid for this name and build. */
export async function signed(record: Promise<string>, name: string, build: string) {
  // Chromium before 137 lacks Ed25519 keys, and pages over plain HTTP have no key API. The check by the server must
  // suffice there.
  const key = await imported().catch(() => undefined)
  if (!key) return record
  const file = `/${getBuildFolder(name, build)}/${signatureFile}`
  const [text, signature] = await Promise.all([
    record,
    fetchFile(file, { type: /plain|octet/, cache: 'no-cache' }).catch(orNone),
  ])
  const of = JSON.parse(text) as ReleaseRecord
  const isSigned = async () =>
    crypto.subtle.verify(algorithm, key, bytes(signature), new TextEncoder().encode(text))
  if (of.name === name && of.build === build && (await isSigned().catch(() => false))) return text
  const failure = new LoadFailure('script', '没有与站点公钥相符的签名', file)
  reportError(failure)
  throw failure
}

/** A missing signature is treated as a wrong one, but a network failure is rethrown because a retry may help. */
function orNone(error: unknown) {
  if (asLoadFailure(error).kind === 'network') throw error
  return ''
}
