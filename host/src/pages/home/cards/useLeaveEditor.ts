import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useAtom } from 'jotai'
import { useEffect } from 'react'
import { isEditModeAtom } from '@iot/shared/session/application'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { useFeedback } from '@iot/shared/ui/feedback'
import { discardConfirmation, useUnsavedChangesPrompt } from '@iot/shared/ui/leaving'
import type { EditedCards } from './useEditedCards'

/** Asks before unsaved cards are left. It also returns edit mode, because ending edit mode leaves the editor too. */
export function useLeaveEditor(
  projectId: number,
  { isDirty, dropStoredDraft }: Pick<EditedCards, 'isDirty' | 'dropStoredDraft'>,
  holdProject: (projectId?: number) => void,
  onLeave: () => void,
) {
  const { modal } = useFeedback()
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  const [currentProjectId, setCurrentProjectId] = useAtom(currentProjectIdAtom)

  const leaveEditor = useMemoizedFn(() => {
    dropStoredDraft()
    if (currentProjectId !== projectId) setEditMode(false)
    onLeave()
  })
  useUnsavedChangesPrompt(
    ({ from, to }) =>
      isDirty &&
      (from.pathname !== to.pathname || getViewParam(from.search) !== getViewParam(to.search)),
    leaveEditor,
  )
  const stayInEditor = useMemoizedFn(() => {
    setCurrentProjectId(projectId)
    setEditMode(true)
  })
  useEffect(() => {
    if (!isDirty) return
    holdProject(projectId)
    return () => holdProject(undefined)
  }, [isDirty, projectId, holdProject])
  // All ways to end editing lead here: the switch in the header, another project, Escape and 取消.
  useEffect(() => {
    if (isEditMode && currentProjectId === projectId) return
    if (!isDirty) return leaveEditor()
    return modal.confirm({ ...discardConfirmation, onOk: leaveEditor, onCancel: stayInEditor })
      .destroy
  }, [isEditMode, currentProjectId, projectId, isDirty, modal, leaveEditor, stayInEditor])

  return { isEditMode, setEditMode }
}

const getViewParam = (search: string) => new URLSearchParams(search).get('view')
