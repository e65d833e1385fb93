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
      const pointerFiles: [string, string][] = [['pointer.json', JSON.stringify(pointer)]]
      const page =
        pointer.host &&
        (await readFile(
          join(this.folder, getBuildFolder('host', pointer.host.build), 'index.html'),
          'utf8',
        ).catch(() => null))
      if (page) pointerFiles.push(['index.html', page])
      const areCurrent = await Promise.all(
        pointerFiles.map(
          async ([file, text]) =>
            (await readFile(join(this.folder, file), 'utf8').catch(() => '')) === text,
        ),
      )
      if (areCurrent.every(Boolean)) return
      for (const [file, text] of pointerFiles) await replaceFile(join(this.folder, file), text)
      await syncFolder(this.folder)
    }
  }
}
