import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { createDecryptor, encryptedMagic, frameHeaderBytes } from './encryption'
import {
  BackupHeader,
  BackupManifest,
  BackupRefusal,
  describePart,
  formatVersion,
  headerName,
  manifestName,
  sitePrefix,
  tablePartPattern,
  type BackupPart,
} from './format'

/** Parts are kept in memory one at a time; a larger one is not of ours. */
const maxPartBytes = 256 * 1024 * 1024
const gzipMagic = Buffer.from([0x1f, 0x8b])

type ReadHandlers = {
  onHeader?: (header: BackupHeader) => Promise<void> | void
  onPart?: (name: string, content: Buffer, header: BackupHeader) => Promise<void> | void
}
type ReadOptions = { passphrase?: string; signal?: AbortSignal }

/**
 * Reads an archive from its header to its manifest, and compares each part with the manifest.
 * @throws BackupRefusal if the file is damaged, incomplete, wrongly decrypted, or of a newer format
 */
export async function readArchive(
  file: string,
  { passphrase, signal }: ReadOptions,
  { onHeader, onPart }: ReadHandlers = {},
) {
  const parts: BackupPart[] = []
  let header: BackupHeader | undefined
  let manifest: BackupManifest | undefined

  async function receivePart(name: string, content: Buffer) {
    if (manifest) throw new BackupRefusal('备份文件已损坏：清单之后还有内容')
    if (!header) {
      if (name !== headerName) throw new BackupRefusal('这不是本平台的备份文件')
      header = parseHeader(content)
      parts.push(describePart(name, content))
      return onHeader?.(header)
    }
    if (name === manifestName) {
      manifest = parseJson(BackupManifest, content, '清单')
      return assertSameParts(parts, manifest.parts)
    }
    assertKnownName(name)
    parts.push(describePart(name, content))
    return onPart?.(name, content, header)
  }

  try {
    const { source, decryptor } = await openFile(file, passphrase)
    const entries = extract()
    const gunzip = createGunzip()
    const feeding = decryptor
      ? pipeline(source, decryptor, gunzip, entries, { signal })
      : pipeline(source, gunzip, entries, { signal })
    const consumed = consumeEntries(entries, receivePart)
    await Promise.all([feeding, consumed])
  } catch (error) {
    throw toRefusal(error)
  }
  if (!header || !manifest)
    throw new BackupRefusal('备份文件不完整：没有清单，写它的过程可能被中断')
  return { header, manifest }
}

/** Returns true if the file can be opened only with a passphrase. */
export async function isEncryptedFile(file: string) {
  return (await readArchiveStart(file)).subarray(0, encryptedMagic.length).equals(encryptedMagic)
}

async function openFile(file: string, passphrase?: string) {
  const fileStart = await readArchiveStart(file)
  if (fileStart.subarray(0, encryptedMagic.length).equals(encryptedMagic)) {
    if (passphrase === undefined)
      throw new BackupRefusal('备份是加密的，请用 --passphrase-file 给出口令文件')
    const { decryptor, start } = await createDecryptor(fileStart, passphrase)
    return { source: createReadStream(file, { start }), decryptor }
  }
  if (!fileStart.subarray(0, 2).equals(gzipMagic)) throw new BackupRefusal('这不是本平台的备份文件')
  return { source: createReadStream(file) }
}

async function readArchiveStart(file: string) {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefusal(
      `读不到备份文件 ${file}：${error.code === 'ENOENT' ? '没有这个文件' : error.code}`,
    )
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(frameHeaderBytes), 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function consumeEntries(
  entries: ReturnType<typeof extract>,
  receivePart: (name: string, content: Buffer) => Promise<void>,
) {
  for await (const entry of entries) {
    const { name, size = 0, type } = entry.header
    if (type !== 'file' || size > maxPartBytes)
      throw new BackupRefusal(`备份文件已损坏：${name} 不是本平台写的内容`)
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    await receivePart(name, Buffer.concat(chunks))
  }
}

function parseHeader(content: Buffer) {
  const header = parseJson(BackupHeader, content, '文件头')
  if (header.formatVersion > formatVersion)
    throw new BackupRefusal(
      `备份由更新的版本 ${header.productVersion} 写成，本版本读不懂它的格式；请用那个版本或更新的版本`,
    )
  return header
}

function parseJson<T>(schema: { parse: (value: unknown) => T }, content: Buffer, what: string): T {
  try {
    return schema.parse(JSON.parse(content.toString()))
  } catch {
    throw new BackupRefusal(`备份文件已损坏：${what}读不出来`)
  }
}

function assertSameParts(readParts: BackupPart[], expected: BackupPart[]) {
  const differing = expected.find((part, index) => {
    const { name, bytes, sha256 } = readParts[index] ?? {}
    return name !== part.name || bytes !== part.bytes || sha256 !== part.sha256
  })
  if (differing) throw new BackupRefusal(`备份文件已损坏：${differing.name} 与清单不符`)
  if (readParts.length !== expected.length)
    throw new BackupRefusal('备份文件已损坏：有清单之外的内容')
}

/** Names become paths of files and tables, so that nothing may lead out of the folder. */
function assertKnownName(name: string) {
  const isSitePath =
    name.startsWith(sitePrefix) &&
    !name.includes('\\') &&
    !name.includes('\0') &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isSitePath && !tablePartPattern.test(name))
    throw new BackupRefusal(`备份文件已损坏：不认识的内容 ${name.slice(0, 80)}`)
}

/** Errors of zlib and tar mean that bytes are missing or wrong. */
function toRefusal(error: unknown) {
  const { code, message } = error as NodeJS.ErrnoException
  const isDamage =
    code?.startsWith('Z_') || /unexpected end|invalid tar|premature close/i.test(message)
  return isDamage ? new BackupRefusal('备份文件已损坏或不完整', { cause: error }) : error
}
