import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { isEditModeAtom } from '@iot/shared/session/application'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { useFeedback } from '@iot/shared/ui/feedback'
import { discardConfirmation, useUnsavedChangesPrompt } from '@iot/shared/ui/leaving'

type LeavePlacingOptions = {
  floorId: string
  projectId: number
  isDirty: boolean
  onLeave: () => void
}

/**
 * Keeps edit mode and the floor's project while placing. The edit switch, another project, Escape, 返回 and any
 * navigation end it, and unsaved changes ask first.
 * @returns the function that leaves placing
 */
export function useLeavePlacing({ floorId, projectId, isDirty, onLeave }: LeavePlacingOptions) {
  const { modal } = useFeedback()
  const navigate = useNavigate()
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  const [currentProjectId, setCurrentProjectId] = useAtom(currentProjectIdAtom)
  const hasEntered = useRef(false)
  const isLeaving = useRef(false)

  const leavePlacing = useMemoizedFn(() => {
    isLeaving.current = true
    onLeave()
    void navigate(currentProjectId === projectId ? paths.home({ scope: floorId }) : paths.home())
  })
  const enterPlacing = useMemoizedFn(() => {
    setCurrentProjectId(projectId)
    setEditMode(true)
  })
  useUnsavedChangesPrompt(
    ({ from, to }) =>
      !isLeaving.current &&
      isDirty &&
      (from.pathname !== to.pathname ||
        getPlacingParam(from.search) !== getPlacingParam(to.search)),
    onLeave,
  )
  useEffect(() => () => setEditMode(false), [setEditMode])
  useEffect(() => {
    if (isEditMode && currentProjectId === projectId) return void (hasEntered.current = true)
    if (!hasEntered.current) return enterPlacing()
    if (isLeaving.current) return
    if (!isDirty) return leavePlacing()
    return modal.confirm({ ...discardConfirmation, onOk: leavePlacing, onCancel: enterPlacing })
      .destroy
  }, [isEditMode, currentProjectId, projectId, isDirty, modal, enterPlacing, leavePlacing])
  return () => setEditMode(false)
}

const getPlacingParam = (search: string) => new URLSearchParams(search).get('placing')
