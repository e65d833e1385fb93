import useLatest from 'ahooks/es/useLatest'
import { useAtom, useAtomValue } from 'jotai'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { currentProjectIdAtom } from '../../session/project'
import { selectedIdsAtom, type Selection } from '../../session/selected'

/** A selection expires after the same time in ms as cached rows. */
const selectionLifetimeMs = 5 * 60_000

/** Keeps the selected rows of the list at this address. */
export function useSelection() {
  const { pathname, search } = useLocation()
  const listKey = pathname + (new URLSearchParams(search).get('tab') ?? '')
  const [selectionByList, setSelectionByList] = useAtom(selectedIdsAtom)
  const [selection, setSelection] = useState<Selection>(() => {
    const { time = 0, ...remembered } = selectionByList[listKey] ?? { ids: [] }
    return Date.now() - time < selectionLifetimeMs ? remembered : { ids: [] }
  })
  // A selection is cleared when the project changes, because the rows are those of another project.
  const projectId = useAtomValue(currentProjectIdAtom)
  const [selectionProjectId, setSelectionProjectId] = useState(projectId)
  if (selectionProjectId !== projectId) {
    setSelectionProjectId(projectId)
    setSelection({ ids: [] })
  }
  const rememberSelection = (newSelection: Selection) =>
    setSelectionByList((previous) => ({
      ...previous,
      [listKey]: { ...newSelection, time: Date.now() },
    }))
  return [
    selection,
    useLatest(selection),
    (newSelection: Selection) => (setSelection(newSelection), rememberSelection(newSelection)),
  ] as const
}
