import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findIncompatibility,
  getHostInterface,
} from '@iot/shared/contract/release/buildCompatibility'
import { getBuildFolder, isPointer } from '@iot/shared/contract/release/release'
import {
  Pointer,
  type AppName,
  type DeployedBuild,
} from '@iot/shared/contract/release/release.schema'
import { logError } from '../core/db/outage'
import { Site } from './releases'
import { UnsignedBuild } from './buildStore'
import { getDeployed, getPreloadNeeds, getTitleFields } from './pointer'
import { computeHash } from './siteFiles'

/** Returns the pointer and the host's page as browsers get them; null if they do not exist. */
type SiteSource = { pointer: () => Promise<string | null>; page: () => Promise<string | null> }

const readPage = (folder: string, build: string) =>
  readFile(join(folder, getBuildFolder('host', build), 'index.html'), 'utf8')

/**
 * Reads `pointer.json`. If it is missing or broken, the newest ledger entry is served instead, and the file is written
 * again if the folder allows it.
 * @returns null if nothing was published yet
 */
async function readPointer(folder: string, reportBroken: (message: string) => void) {
  const text = await readFile(join(folder, 'pointer.json'), 'utf8').catch(() => null)
  if (text !== null && isPointer(text)) return text
  if (text !== null) reportBroken('pointer.json 不完整或被改动')
  const site = new Site(folder)
  const pointer = await site.pointer()
  if (pointer.revision === 0) return null
  await site.syncPointerFiles().catch((error: unknown) => logError('pointer.json 没有写成', error))
  return JSON.stringify(pointer)
}

/** Serves pointer and page exactly as they are in the folder. */
export function createUnverifiedSource(folder: string): SiteSource {
  const pointer = () =>
    readPointer(folder, (message) => logError('由发布记录重建', new Error(message)))
  return {
    pointer,
    async page() {
      const { host } = JSON.parse((await pointer()) ?? '{}') as Partial<Pointer>
      return host ? readPage(folder, host.build).catch(() => null) : null
    },
  }
}

/** Serves only signed builds. Unsigned ones are reported, and the last signed build stays in service. */
export function createVerifiedSource(
  folder: string,
  publicKey: KeyObject,
  report: (error: Error) => void,
): SiteSource {
  const site = new Site(folder, { publicKey })
  const reportPointer = createChangeReporter(report)
  const reportPage = createChangeReporter(report)
  let lastPointer: Pointer | null = null
  /**
   * The text of a pointer whose builds are all signed. A pointer with refused builds is checked again at the next
   * request, because they may be signed by then.
   */
  let verifiedText: string | undefined
  let cachedPage: { build: string; html: string } | undefined

  async function pointer() {
    const text = await readPointer(folder, reportPointer)
    if (text === null || text === verifiedText) return lastPointer
    try {
      const verification = await verifyPointer(site, Pointer.parse(JSON.parse(text)), lastPointer)
      lastPointer = verification.pointer
      verifiedText = verification.refused.length ? undefined : text
      reportPointer(verification.refused.join('；'))
    } catch {
      reportPointer('pointer.json 不完整或被改动')
    }
    return lastPointer
  }

  async function page(build: string) {
    if (cachedPage?.build === build) return cachedPage.html
    const html = await readPage(folder, build)
    const { record } = await site.readServableRecord('host', build)
    if (record.files['index.html'] !== computeHash(html))
      throw new UnsignedBuild(`host ${build} 的 index.html 与发布记录不符`)
    cachedPage = { build, html }
    return html
  }

  return {
    async pointer() {
      const now = await pointer()
      return now && JSON.stringify(now)
    },
    async page() {
      const host = (await pointer())?.host
      if (!host) return null
      try {
        const html = await page(host.build)
        reportPage('')
        return html
      } catch (error) {
        reportPage((error as Error).message)
        return null
      }
    },
  }
}

type DeployedChoice = Pick<DeployedBuild, 'build' | 'previous' | 'canary'>

/**
 * Checks a pointer against the signed records. It is trusted only for the names and shares of builds; all other
 * fields come from the records. An unsigned build is replaced by the one served before, or by the previous build that
 * the pointer names.
 */
async function verifyPointer(
  site: Site,
  { revision, host, remotes }: Pointer,
  formerPointer: Pointer | null,
) {
  const refusals = new Set<string>()
  const findSignedRecord = (name: AppName, build: string) =>
    site.readServableRecord(name, build).catch((error: Error) => void refusals.add(error.message))
  const hostRecord = (host && (await findSignedRecord('host', host.build)))?.record ?? null

  async function verifyDeployed(
    name: AppName,
    { build, canary, previous }: DeployedChoice,
  ): Promise<DeployedBuild | null> {
    const signedBuild = await findSignedRecord(name, build)
    if (!signedBuild) {
      const lastDeployed = formerPointer && getDeployed(formerPointer, name)
      return (
        lastDeployed ??
        (previous ? verifyDeployed(name, { build: previous, previous: null }) : null)
      )
    }
    const canaryBuild = canary && (await findSignedRecord(name, canary.build))
    const incompatibility =
      name !== 'host' && hostRecord
        ? findIncompatibility(signedBuild.record, getHostInterface(hostRecord))
        : undefined
    // A previous build from before the site had a key is unsigned; then there is simply no build to fall back to.
    const previousBuild =
      previous && (await site.readServableRecord(name, previous).catch(() => null))
    const toDeployed = ({ record, hash }: typeof signedBuild) => ({
      build: record.build,
      record: hash,
      needs: getPreloadNeeds(record, hostRecord),
    })
    return {
      ...toDeployed(signedBuild),
      ...getTitleFields(signedBuild.record),
      previous: previousBuild ? previousBuild.record.build : null,
      ...(previousBuild && { previousRecord: previousBuild.hash }),
      ...(canaryBuild && { canary: { ...toDeployed(canaryBuild), share: canary!.share } }),
      ...(incompatibility && { incompatibility }),
    }
  }

  const pointer: Pointer = {
    revision,
    host: host && (await verifyDeployed('host', host)),
    remotes: {},
  }
  for (const [name, choice] of Object.entries(remotes)) {
    const now = await verifyDeployed(name, choice)
    if (now) pointer.remotes[name] = now
  }
  return { pointer, refused: [...refusals] }
}

/** Reports a message once, until it changes. */
function createChangeReporter(report: (error: Error) => void) {
  let lastReport = ''
  return (message: string) => {
    if (message && message !== lastReport) report(new Error(message))
    lastReport = message
  }
}
