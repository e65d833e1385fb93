import { useMemoizedFn } from 'ahooks'
import { App } from 'antd'
import { useAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { isEditModeAtom } from '@iot/shared/session/application'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { leaving, useLeaving } from '@iot/shared/ui/leaving'

type Staying = { floorId: string; projectId: number; isDirty: boolean; onLeave: () => void }

/**
 * Keeps edit mode and the floor's project while placing. The edit switch, another project, Escape, 返回 and any
 * navigation end it, and unsaved changes ask first.
 * @returns the function that leaves placing
 */
export function useStaying({ floorId, projectId, isDirty, onLeave }: Staying) {
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  const [current, goTo] = useAtom(currentProjectIdAtom)
  const hasEntered = useRef(false)
  const isGoing = useRef(false)

  const leave = useMemoizedFn(() => {
    isGoing.current = true
    onLeave()
    void navigate(current === projectId ? paths.home({ scope: floorId }) : paths.home())
  })
  const enter = useMemoizedFn(() => {
    goTo(projectId)
    setEditMode(true)
  })
  useLeaving(
    ({ from, to }) =>
      !isGoing.current &&
      isDirty &&
      (from.pathname !== to.pathname || floorIn(from.search) !== floorIn(to.search)),
    onLeave,
  )
  useEffect(() => () => setEditMode(false), [setEditMode])
  useEffect(() => {
    if (isEditMode && current === projectId) return void (hasEntered.current = true)
    if (!hasEntered.current) return enter()
    if (isGoing.current) return
    if (!isDirty) return leave()
    return modal.confirm({ ...leaving, onOk: leave, onCancel: enter }).destroy
  }, [isEditMode, current, projectId, isDirty, modal, enter, leave])
  return () => setEditMode(false)
}

const floorIn = (search: string) => new URLSearchParams(search).get('placing')
