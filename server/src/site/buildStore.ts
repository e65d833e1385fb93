import { randomUUID } from 'node:crypto'
import { cp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getBuildFolder, signatureFile } from '@iot/shared/contract/release/release'
import { ReleaseRecord, type AppName as Name } from '@iot/shared/contract/release/release.schema'
import { ReleaseRefusal } from './releaseRefusal.ts'
import { findSignatureFault, signContent, type SiteKeys } from './signature.ts'
import { computeHash, isNodeError, replaceFile } from './siteFiles.ts'

/** The build folders of a site. A build is written once and never changed, except for its signature. */
export class BuildStore {
  constructor(
    private readonly folder: string,
    private readonly keys: SiteKeys,
  ) {}

  /**
   * Returns the release record of a build and its hash.
   * @throws ReleaseRefusal if the build does not exist
   */
  readPinnedRecord = async (name: Name, build: string) => {
    const folder = join(this.folder, getBuildFolder(name, build))
    const text = await readFile(join(folder, 'release.json')).catch(() => {
      throw new ReleaseRefusal(`${name} 没有版本 ${build}`)
    })
    return { folder, text, record: parseRecord(text), hash: computeHash(text) }
  }

  /**
   * Returns the release record of a build that may be served; if the site has a public key, the record must be signed
   * with its private key.
   * @throws ReleaseRefusal or UnsignedBuild otherwise
   */
  async readServableRecord(name: Name, build: string) {
    const pinnedRecord = await this.readPinnedRecord(name, build)
    this.refuseUnsigned(pinnedRecord.text, await readSignature(pinnedRecord.folder), {
      name,
      build,
    })
    return pinnedRecord
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
   * @throws ReleaseRefusal if the build is altered, foreign or not signed
   */
  async copy(dist: string): Promise<CopiedBuild> {
    const text = await readFile(join(dist, 'release.json'))
    const record = parseRecord(text)
    const { name, build, files } = record
    assertOwnScreens(record)
    const target = join(this.folder, getBuildFolder(name, build))
    const existingText = await readFile(join(target, 'release.json')).catch(() => undefined)
    if (existingText && !existingText.equals(text))
      throw new ReleaseRefusal(`${name} ${build} 已经发布过，内容不同；已发布的版本不能改`)
    const formerSignature = existingText && (await readSignature(target))
    const signature = this.keys.privateKey
      ? signContent(text, this.keys.privateKey)
      : ((await readSignature(dist)) ?? formerSignature)
    this.refuseUnsigned(text, signature, record)
    if (existingText) {
      if (signature === undefined || signature === formerSignature) return { name, build }
      await replaceFile(join(target, signatureFile), signature)
      return { name, build, change: 'signature' }
    }
    const temporaryFolder = `${target}.${randomUUID()}.part`
    try {
      await cp(dist, temporaryFolder, { recursive: true })
      if (signature) await writeFile(join(temporaryFolder, signatureFile), signature)
      for (const [file, expectedHash] of Object.entries(files))
        if (computeHash(await readFile(join(temporaryFolder, file))) !== expectedHash)
          throw new ReleaseRefusal(`${name} ${build} 的 ${file} 与发布记录不符`)
      await rename(temporaryFolder, target)
    } catch (error) {
      await rm(temporaryFolder, { recursive: true, force: true })
      // Another process published the same build at the same moment.
      if (isNodeError(error, 'ENOTEMPTY', 'EEXIST')) return { name, build }
      throw error
    }
    return { name, build, change: 'files' }
  }
}

/** A build of the site, and what a copy has added to it. */
export type CopiedBuild = Pick<ReleaseRecord, 'name' | 'build'> & { change?: 'files' | 'signature' }

/** The build has no valid signature for the key of the site. */
export class UnsignedBuild extends ReleaseRefusal {}

const readSignature = (folder: string) =>
  readFile(join(folder, signatureFile), 'utf8').catch(() => undefined)

const parseRecord = (text: Buffer) => ReleaseRecord.parse(JSON.parse(text.toString()))

export const readRecord = async (dist: string) =>
  parseRecord(await readFile(join(dist, 'release.json')))

/** A remote may only add screens below its own address. */
function assertOwnScreens({ name, build, menu }: ReleaseRecord) {
  const foreign = menu.find(
    ({ routeName, path }) =>
      name !== 'host' && (routeName.split('.')[0] !== name || path.split('/')[1] !== name),
  )
  if (foreign)
    throw new ReleaseRefusal(
      `${name} ${build} 的菜单“${foreign.name}”（${foreign.path}）不在 /${name} 之下`,
    )
}
