import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getBuildFolder, isPointer } from '@iot/shared/contract/release/release'
import { Pointer } from '@iot/shared/contract/release/release.schema'
import { logError } from '../core/db/outage'
import { Site } from './releases'
import { UnsignedBuild } from './buildStore'
import { completePointer } from './pointer'
import { computeHash } from './siteFiles'

const brokenPointerText = 'pointer.json 不完整或被改动'

/**
 * Reads the pointer and the host's page as browsers get them. With a public key only signed builds are served: the
 * pointer is then trusted for the names and shares of builds alone, and a build that is not signed is reported while
 * the last signed one stays in service.
 */
export function createSiteSource(
  folder: string,
  publicKey: KeyObject | undefined,
  report: (error: Error) => void,
) {
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

  /**
   * Reads `pointer.json`. If it is missing or broken, the newest ledger entry is served instead, and the file is
   * written again if the folder allows it.
   */
  async function readStoredPointer() {
    const text = await readFile(join(folder, 'pointer.json'), 'utf8').catch(() => null)
    if (text !== null && isPointer(text)) return text
    if (text !== null) reportPointer(brokenPointerText)
    const pointer = await site.pointer()
    if (pointer.revision === 0) return null
    await site
      .syncPointerFiles()
      .catch((error: unknown) => logError('pointer.json 没有写成', error))
    return JSON.stringify(pointer)
  }

  /** Returns the text of the pointer; null if nothing was published yet. */
  async function readPointer() {
    const text = await readStoredPointer()
    if (!publicKey) return text
    if (text !== null && text !== verifiedText)
      try {
        const { pointer, unreadableBuilds } = await completePointer(
          Pointer.parse(JSON.parse(text)),
          site.readServableRecord,
          lastPointer,
        )
        lastPointer = pointer
        verifiedText = unreadableBuilds.length > 0 ? undefined : text
        reportPointer([...new Set(unreadableBuilds.map(({ reason }) => reason))].join('；'))
      } catch {
        reportPointer(brokenPointerText)
      }
    return lastPointer && JSON.stringify(lastPointer)
  }

  /** Returns the page of the served host; null if there is none or it cannot be served. */
  async function readPage() {
    try {
      const { host } = JSON.parse((await readPointer()) ?? '{}') as Partial<Pointer>
      if (!host) return null
      const { build } = host
      if (cachedPage?.build !== build) {
        const html = await readFile(
          join(folder, getBuildFolder('host', build), 'index.html'),
          'utf8',
        )
        if (publicKey) await assertPageIsSigned(build, html)
        cachedPage = { build, html }
      }
      reportPage('')
      return cachedPage.html
    } catch (error) {
      reportPage((error as Error).message)
      return null
    }
  }

  async function assertPageIsSigned(build: string, html: string) {
    const { record } = await site.readServableRecord('host', build)
    if (record.files['index.html'] !== computeHash(html))
      throw new UnsignedBuild(`host ${build} 的 index.html 与发布记录不符`)
  }

  return { readPointer, readPage }
}

/** Reports a message once, until it changes. */
function createChangeReporter(report: (error: Error) => void) {
  let lastReport = ''
  return (message: string) => {
    if (message && message !== lastReport) report(new Error(message))
    lastReport = message
  }
}
