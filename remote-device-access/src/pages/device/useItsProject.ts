import { useAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'

/**
 * Switches to the project of a device that is opened by its address; if the user then chooses another project, its list
 * opens.
 */
export function useItsProject(
  device?: { id: string; projectId: number },
  list = paths.deviceAccess.device(),
) {
  const [current, go] = useAtom(currentProjectIdAtom)
  const navigate = useNavigate()
  const entered = useRef('')
  useEffect(() => {
    if (!device) return
    const here = `${device.id} ${device.projectId}`
    const isNew = entered.current !== here
    entered.current = here
    if (current === device.projectId) return
    if (isNew) go(device.projectId)
    else void navigate(list)
  }, [device, current, go, navigate, list])
}
