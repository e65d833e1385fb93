import { link, mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getBuildFolder } from '@iot/shared/contract/release/release'
import { LedgerEntry, type Pointer } from '@iot/shared/contract/release/release.schema'
import { getPointerAfter } from './pointer.ts'
import { isNodeError, replaceFile, syncFolder, writeTemporaryFile } from './siteFiles.ts'

/** The numbered ledger files of a site, and the pointer files that are copied from the newest of them. */
export class ReleaseLedger {
  constructor(private readonly folder: string) {}

  private revisions = async () =>
    (await readdir(join(this.folder, 'ledger')).catch((): string[] => []))
      .filter((file) => /^\d+\.json$/.test(file))
      .sort()

  private entry = async (file: string) =>
    LedgerEntry.parse(JSON.parse(await readFile(join(this.folder, 'ledger', file), 'utf8')))

  async pointer(): Promise<Pointer> {
    const newestFile = (await this.revisions()).at(-1)
    return getPointerAfter(newestFile ? [await this.entry(newestFile)] : [])
  }

  /** Returns all ledger entries, oldest first. */
  entries = async () => Promise.all((await this.revisions()).map(this.entry))

  /**
   * Appends a ledger entry by compare-and-swap on the revision: creating a link to an existing name fails, and a
   * linked file is complete.
   * @returns false if another process was faster
   */
  async append(entry: LedgerEntry): Promise<boolean> {
    const ledger = join(this.folder, 'ledger')
    await mkdir(ledger, { recursive: true })
    const temporaryFile = await writeTemporaryFile(this.folder, JSON.stringify(entry))
    const name = `${String(entry.pointer.revision).padStart(8, '0')}.json`
    const hasAppended = await link(temporaryFile, join(ledger, name)).then(
      () => true,
      (error: unknown) => {
        if (!isNodeError(error, 'EEXIST')) throw error
        return false
      },
    )
    await rm(temporaryFile)
    await syncFolder(ledger)
    await this.syncPointerFiles()
    return hasAppended
  }

  /**
   * Updates `pointer.json` and `index.html` from the newest ledger entry. Each writer checks again after its renames,
   * so concurrent writers end at the newest entry, and the next writer completes the work of one that was killed.
   */
  async syncPointerFiles() {
    for (;;) {
      const pointer = await this.pointer()
      const texts = new Map([['pointer.json', JSON.stringify(pointer)]])
      const pageFile =
        pointer.host && join(getBuildFolder('host', pointer.host.build), 'index.html')
      const page = pageFile && (await this.readText(pageFile))
      if (page) texts.set('index.html', page)
      let isCurrent = true
      for (const [file, text] of texts) {
        if ((await this.readText(file)) === text) continue
        await replaceFile(join(this.folder, file), text)
        isCurrent = false
      }
      if (isCurrent) return
      await syncFolder(this.folder)
    }
  }

  private readText = (file: string) =>
    readFile(join(this.folder, file), 'utf8').catch(() => undefined)
}
