import { useAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'

/**
 * Switches to the project of a device that is opened by its address; if the user then chooses another project, its list
 * opens.
 */
export function useSwitchToDeviceProject(
  device?: { id: string; projectId: number },
  listPath = paths.deviceAccess.device(),
) {
  const [currentProjectId, setCurrentProjectId] = useAtom(currentProjectIdAtom)
  const navigate = useNavigate()
  const enteredKeyRef = useRef('')
  useEffect(() => {
    if (!device) return
    const deviceKey = `${device.id} ${device.projectId}`
    const isNew = enteredKeyRef.current !== deviceKey
    enteredKeyRef.current = deviceKey
    if (currentProjectId === device.projectId) return
    if (isNew) setCurrentProjectId(device.projectId)
    else void navigate(listPath)
  }, [device, currentProjectId, setCurrentProjectId, navigate, listPath])
}
