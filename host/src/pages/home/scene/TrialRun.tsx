import Button from 'antd/es/button'
import { useState } from 'react'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { ControlRequest } from '@iot/shared/contract/control/control.schema'
import type { Scene } from '@iot/shared/contract/control/scene.schema'
import { ConfirmControl, type ControlConfirmation } from '@iot/shared/control/confirmControl'
import { useControlTasks } from '@iot/shared/control/useTasks'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'

const TrialResult = lazyDialog(() => import('./TrialResult'))

type TrialRunProps = {
  projectId: number
  /** The stored scene; a trial run carries it out, and not the unsaved input. */
  scene?: Scene
  isDirty: boolean
}

/** Runs the stored scene on trial after a confirmation, and then says what happens to each device. */
export function TrialRun({ projectId, scene, isDirty }: TrialRunProps) {
  const { start } = useControlTasks(projectId)
  const [isAsking, setAsking] = useState(false)
  const [taskId, setTaskId] = useState<string>()
  const [isResultOpen, setResultOpen] = useState(false)
  const startTrial = async (
    request: ControlRequest,
    announcement: ControlConfirmation['spoken'],
    idempotencyKey: string,
  ) => {
    const task = await start(request, announcement, idempotencyKey)
    setTaskId(task.id)
    setResultOpen(true)
  }
  return (
    <>
      {taskId && <Button onClick={() => setResultOpen(true)}>试运行结果</Button>}
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
          onStart={startTrial}
          onClose={() => setAsking(false)}
        />
      )}
      {isResultOpen && scene && taskId && (
        <TrialResult scene={scene} taskId={taskId} onClose={() => setResultOpen(false)} />
      )}
    </>
  )
}
