import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pointer, folderOf, type AreaName, type Deployed } from '@iot/shared/contract/release'
import { Site, Unsigned, deployedIn, hashOf, neededSoon, titleOf } from './releases'

/** Returns the pointer and the host's page as browsers get them; null if they do not exist. */
type Served = { pointer: () => Promise<string | null>; page: () => Promise<string | null> }

const pointerIn = (folder: string) =>
  readFile(join(folder, 'pointer.json'), 'utf8').catch(() => null)
const pageIn = (folder: string, build: string) =>
  readFile(join(folder, folderOf('host', build), 'index.html'), 'utf8')

/** Serves pointer and page exactly as they are in the folder. */
export const asTheyLie = (folder: string): Served => ({
  pointer: () => pointerIn(folder),
  async page() {
    const { host } = JSON.parse((await pointerIn(folder)) ?? '{}') as Partial<Pointer>
    return host ? pageIn(folder, host.build).catch(() => null) : null
  },
})

/** Serves only signed builds. Unsigned ones are reported, and the last signed build stays in service. */
export function asSigned(
  folder: string,
  publicKey: KeyObject,
  report: (error: Error) => void,
): Served {
  const site = new Site(folder, { publicKey })
  const tellOfPointer = once(report)
  const tellOfPage = once(report)
  let served: Pointer | null = null
  /**
   * The text of a pointer whose builds are all signed. A pointer with refused builds is checked again at the next
   * request, because they may be signed by then.
   */
  let whole: string | undefined
  let opened: { build: string; html: string } | undefined

  async function pointer() {
    const text = await pointerIn(folder)
    if (text === null || text === whole) return served
    try {
      const vouched = await vouchedFor(site, Pointer.parse(JSON.parse(text)), served)
      served = vouched.pointer
      whole = vouched.refused.length ? undefined : text
      tellOfPointer(vouched.refused.join('；'))
    } catch {
      tellOfPointer('pointer.json 不完整或被改动')
    }
    return served
  }

  async function page(build: string) {
    if (opened?.build === build) return opened.html
    const html = await pageIn(folder, build)
    const { record } = await site.servable('host', build)
    if (record.files['index.html'] !== hashOf(html))
      throw new Unsigned(`host ${build} 的 index.html 与发布记录不符`)
    opened = { build, html }
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
        tellOfPage('')
        return html
      } catch (error) {
        tellOfPage((error as Error).message)
        return null
      }
    },
  }
}

type Choice = Pick<Deployed, 'build' | 'previous' | 'canary'>

/**
 * Checks a pointer against the signed records. It is trusted only for the names and shares of builds; all other
 * fields come from the records. An unsigned build is replaced by the one served before, or by the previous build that
 * the pointer names.
 */
async function vouchedFor(
  site: Site,
  { revision, host, remotes }: Pointer,
  former: Pointer | null,
) {
  const refused = new Set<string>()
  const signed = (name: AreaName, build: string) =>
    site.servable(name, build).catch((error: Error) => void refused.add(error.message))
  const hostRecord = (host && (await signed('host', host.build)))?.record ?? null

  async function vouched(
    name: AreaName,
    { build, canary, previous }: Choice,
  ): Promise<Deployed | null> {
    const found = await signed(name, build)
    if (!found) {
      const last = former && deployedIn(former, name)
      return last ?? (previous ? vouched(name, { build: previous, previous: null }) : null)
    }
    const tried = canary && (await signed(name, canary.build))
    // A previous build from before the site had a key is unsigned; then there is simply no build to fall back to.
    const before = previous && (await site.servable(name, previous).catch(() => null))
    const soon = ({ record, hash }: typeof found) => ({
      build: record.build,
      record: hash,
      needs: neededSoon(record, hostRecord),
    })
    return {
      ...soon(found),
      ...titleOf(found.record),
      previous: before ? before.record.build : null,
      ...(before && { previousRecord: before.hash }),
      ...(tried && { canary: { ...soon(tried), share: canary!.share } }),
    }
  }

  const pointer: Pointer = {
    revision,
    host: host && (await vouched('host', host)),
    remotes: {},
  }
  for (const [name, one] of Object.entries(remotes)) {
    const now = await vouched(name, one)
    if (now) pointer.remotes[name] = now
  }
  return { pointer, refused: [...refused] }
}

/** Reports a message once, until it changes. */
function once(report: (error: Error) => void) {
  let said = ''
  return (why: string) => {
    if (why && why !== said) report(new Error(why))
    said = why
  }
}
