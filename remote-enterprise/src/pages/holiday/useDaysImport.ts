import { useState } from 'react'
import type { DaysImportResult, ImportChange } from '@iot/shared/contract/project/calendar.schema'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'

type DaysImportOptions = {
  onImported: () => void
  onClose: () => void
  /** Called instead of `onClose` if days were refused, so that the user sees what they are now. */
  previewAgain: () => void
}

/** Returns the versions of the previewed days, by which the server finds those that were changed since. */
export const toSeenVersions = (changes: ImportChange[]) =>
  Object.fromEntries(changes.map(({ date, version }) => [date, version]))

/** Runs an import of previewed days. A dialog whose days were refused stays open and lists them. */
export function useDaysImport({ onImported, onClose, previewAgain }: DaysImportOptions) {
  const { message } = useFeedback()
  const [isImporting, setImporting] = useState(false)
  const [refusedDays, setRefusedDays] = useState<DaysImportResult['refused']>([])

  async function runImport(importCall: Promise<DaysImportResult>) {
    setImporting(true)
    const result = await importCall.catch(ignoreHandled)
    setImporting(false)
    if (!result) return
    message.success(`已导入 ${result.changed} 天`)
    onImported()
    setRefusedDays(result.refused)
    if (result.refused.length > 0) previewAgain()
    else onClose()
  }
  return { isImporting, refusedDays, runImport }
}
