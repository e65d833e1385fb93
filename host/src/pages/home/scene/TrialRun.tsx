import { Button } from 'antd'
import { useState } from 'react'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import type { Scene } from '@iot/shared/contract/scene.schema'
import { ConfirmControl } from '@iot/shared/control/confirmControl'
import { useControlTasks } from '@iot/shared/control/useTasks'
import { Can } from '@iot/shared/ui/right'

type TrialRunProps = {
  projectId: number
  /** The stored scene; a trial run carries it out, and not the unsaved input. */
  scene?: Scene
  isDirty: boolean
}

/** Runs the stored scene on trial after a confirmation. */
export function TrialRun({ projectId, scene, isDirty }: TrialRunProps) {
  const { start } = useControlTasks(projectId)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Can to={devicePermissions.scene} unless={(!scene || isDirty) && '保存后可以试运行'}>
        <Button onClick={() => setAsking(true)}>试运行</Button>
      </Can>
      {isAsking && scene && (
        <ConfirmControl
          asked={{
            title: `试运行场景“${scene.name}”`,
            okText: '试运行',
            request: { kind: 'scene', projectId, sceneId: scene.id, trial: true },
            spoken: { kind: 'scene', name: scene.name },
          }}
          onStart={start}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
