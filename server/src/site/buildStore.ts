import { randomUUID } from 'node:crypto'
import { cp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getBuildFolder, signatureFile } from '@iot/shared/contract/release/release'
import { ReleaseRecord, type AppName as Name } from '@iot/shared/contract/release/release.schema'
import { ReleaseRefusal } from './releaseRefusal.ts'
import { findSignatureFault, signContent, type SiteKeys } from './signature.ts'
import { computeHash, isNodeError, writeTemporaryFile } from './siteFiles.ts'

/** The build folders of a site. A build is written once and never changed, except for its signature. */
export class BuildStore {
  constructor(
    private readonly folder: string,
    private readonly keys: SiteKeys,
  ) {}

  record = async (name: Name, build: string) =>
    readRecord(join(this.folder, getBuildFolder(name, build)))

  /**
   * Returns the release record of a build that may be served; if the site has a public key, the record must be signed
   * with its private key.
   * @throws ReleaseRefusal or UnsignedBuild otherwise
   */
  async readServableRecord(name: Name, build: string) {
    const folder = join(this.folder, getBuildFolder(name, build))
    const text = await readFile(join(folder, 'release.json')).catch(() => {
      throw new ReleaseRefusal(`${name} 没有版本 ${build}`)
    })
    this.refuseUnsigned(text, await readSignature(folder), { name, build })
    return { record: ReleaseRecord.parse(JSON.parse(text.toString())), hash: computeHash(text) }
  }

  private refuseUnsigned(
    text: Buffer,
    signature: string | undefined,
    target: Pick<ReleaseRecord, 'name' | 'build'>,
  ) {
    const fault =
      this.keys.publicKey && findSignatureFault(this.keys.publicKey, text, signature, target)
    if (fault) throw new UnsignedBuild(`${target.name} ${target.build} ${fault}`)
  }

  list = (name: Name) =>
    readdir(join(this.folder, getBuildFolder(name, '')))
      .then((fileNames) => fileNames.filter((buildName) => !buildName.includes('.part')))
      .catch((): string[] => [])

  /**
   * Copies a build under a temporary name, verifies every file and renames it, so that a build exists completely or
   * not at all.
   * @returns whether the build is new in the site, and whether one that already existed got a new signature
   */
  async copy(dist: string, record: ReleaseRecord) {
    const text = await readFile(join(dist, 'release.json'))
    const target = join(this.folder, getBuildFolder(record.name, record.build))
    const existingRecord = await readFile(join(target, 'release.json')).catch(() => undefined)
    if (existingRecord && !existingRecord.equals(text))
      throw new ReleaseRefusal(
        `${record.name} ${record.build} 已经发布过，内容不同；已发布的版本不能改`,
      )
    const { privateKey } = this.keys
    const formerSignature = existingRecord && (await readSignature(target))
    const signature = privateKey
      ? signContent(text, privateKey)
      : ((await readSignature(dist)) ?? formerSignature)
    this.refuseUnsigned(text, signature, record)
    if (existingRecord) {
      const isResigned = signature !== undefined && signature !== formerSignature
      if (isResigned)
        await rename(await writeTemporaryFile(this.folder, signature), join(target, signatureFile))
      return { isAdded: false, isResigned }
    }
    const temporaryFolder = `${target}.${randomUUID()}.part`
    try {
      await cp(dist, temporaryFolder, { recursive: true })
      if (signature) await writeFile(join(temporaryFolder, signatureFile), signature)
      for (const [file, expectedHash] of Object.entries(record.files))
        if (computeHash(await readFile(join(temporaryFolder, file))) !== expectedHash)
          throw new ReleaseRefusal(`${record.name} ${record.build} 的 ${file} 与发布记录不符`)
      await rename(temporaryFolder, target)
    } catch (error) {
      await rm(temporaryFolder, { recursive: true, force: true })
      // Another process published the same build at the same moment.
      if (!isNodeError(error, 'ENOTEMPTY', 'EEXIST')) throw error
      return { isAdded: false, isResigned: false }
    }
    return { isAdded: true, isResigned: false }
  }
}

/** The build has no valid signature for the key of the site. */
export class UnsignedBuild extends ReleaseRefusal {}

const readSignature = (folder: string) =>
  readFile(join(folder, signatureFile), 'utf8').catch(() => undefined)

export const readRecord = async (dist: string) =>
  ReleaseRecord.parse(JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')))
