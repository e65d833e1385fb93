import { pageMeta } from '@iot/shared/client/pageMeta'
import { folderOf, signatureFile, type ReleaseRecord } from '@iot/shared/contract/release'
import { reportError } from '../pages/errors/reportError'
import { LoadFailure, asLoadFailure } from './failure'
import { fetchFile } from './files'

const bare = pageMeta('release-key')
/**
 * Remotes run only when their records were signed with the site's key. A web server that knows nothing of keys leaves the
 * word that stands for one in the page.
 */
export const isKeyed = bare?.length === 44

const algorithm = 'Ed25519'
const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
const imported = async () =>
  crypto.subtle.importKey('raw', bytes(bare!), algorithm, false, ['verify'])

/** The text of a record, where it is signed for this name and build. */
export async function signed(record: Promise<string>, name: string, build: string) {
  // Chromium before 137 has no such keys, and a page over plain HTTP none at all. There the server's look is all.
  const key = await imported().catch(() => undefined)
  if (!key) return record
  const file = `/${folderOf(name, build)}/${signatureFile}`
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

/** What has no signature is refused like one that is wrong; a network that fails may pass. */
function orNone(error: unknown) {
  if (asLoadFailure(error).kind === 'network') throw error
  return ''
}
