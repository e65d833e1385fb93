import useRequest from 'ahooks/es/useRequest'
import Empty from 'antd/es/empty'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { call, CallError } from '@iot/shared/client/call'
import { responseCodes } from '@iot/shared/contract/endpoint'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { Scene } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { useDetail } from '@iot/shared/ui/useDetail'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import NoHome from '../NoHome'
import { getSceneAddress } from './sceneAddress'
import { SceneForm } from './SceneForm'

/** The page of one scene, or of a new scene of the project in the address. */
export function Component() {
  const { id } = useParams()
  const can = useCan()
  if (!can(devicePermissions.view)) return <NoHome why="right" />
  return id ? <StoredScene key={id} id={id} /> : <NewScene />
}

function StoredScene({ id }: { id: string }) {
  const { row: scene, take: replaceScene, frame: renderLoaded } = useDetail(sceneApi.get, id)
  return renderLoaded(
    scene && (
      // The form is filled again from the saved scene after a save.
      <SceneForm
        key={scene.version}
        projectId={scene.projectId}
        scene={scene}
        onSaved={replaceScene}
      />
    ),
  )
}

function NewScene() {
  const navigate = useNavigate()
  const currentProjectId = useAtomValue(currentProjectIdAtom)
  const requestedProject = Number(useSearchParams()[0].get('project'))
  // Another choice in the project switcher must not move the input to another project.
  const [projectId] = useState(requestedProject || currentProjectId)
  const { data, error, refresh } = useRequest(() =>
    call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, { inline: true }),
  )
  if (error instanceof CallError && error.code === responseCodes.missing)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={error.message} />
  if (error) return <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  return (
    <SceneForm
      projectId={projectId}
      sort={Math.max(0, ...data.list.map(({ sort }) => sort)) + 1}
      onSaved={(scene: Scene) =>
        void navigate(getSceneAddress(projectId, scene), { replace: true })
      }
    />
  )
}
