import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { ActionLog } from '@iot/shared/contract/access/actionLog.schema'
import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { lazyDialog } from '@iot/shared/ui/lazyPart'

const Ledger = lazyDialog(() => import('@iot/shared/control/ledger'))

const { config, device, edgeHost, productCategory } = paths.deviceAccess
type LoggedEntity = Pick<ActionLog, 'entity' | 'entityId' | 'entityName' | 'verb' | 'ok'>
/** An entity is shown at this address: its own page or its list. */
const entityLinks: Record<string, (log: LoggedEntity) => string> = {
  设备: ({ entityId }) => `${device()}/${entityId}`,
  边缘主机: ({ entityId }) => `${edgeHost()}/${entityId}`,
  视图: () => config.viewManager(),
  项目: ({ entityId }) => `${paths.system.project()}/${entityId}`,
  地图工程版本: ({ entityName: name }) => paths.system.mapEngineering({ name }),
  产品: ({ entityId }) => `${config.product()}/${entityId}`,
  品类: ({ entityId }) => `${productCategory()}/${entityId}`,
  厂商: ({ entityName: name }) => config.manufacturer({ name }),
  品牌: ({ entityName: name }) => config.brand({ name }),
  产品类型: ({ entityName: name }) => config.productType({ name }),
  控制类型: ({ entityName: name }) => config.controlType({ name }),
  通信协议: ({ entityName: name }) => config.communicationProtocol({ name }),
  用户: ({ entityId }) => `${paths.enterprise.user()}/${entityId}`,
  角色: () => paths.enterprise.user({ tab: 'role' }),
  菜单: () => paths.system.menu(),
}

const hasPage = ({ entityId, verb, ok }: LoggedEntity) =>
  ok && entityId !== '' && !/删除/.test(verb)

/** Returns the link from a log line to its entity, or nothing if the entity is gone or has no page. */
export function renderLogTarget(log: LoggedEntity) {
  if (log.entity === '控制任务' && log.entityId) return <TaskLedger id={log.entityId} />
  if (log.entity === '场景' && hasPage(log)) return <SceneLink id={log.entityId} />
  const createLink = hasPage(log) ? entityLinks[log.entity] : undefined
  return createLink && <Link to={createLink(log)}>查看{log.entity}</Link>
}

/** A scene is shown on the home page of its project, so the link may switch the project. */
function SceneLink({ id }: { id: string }) {
  const navigate = useNavigate()
  const setCurrentProjectId = useSetAtom(currentProjectIdAtom)
  const { run: openScene, loading } = useRequest(
    () =>
      call(sceneApi.get, { id })
        .then(({ projectId }) => {
          setCurrentProjectId(projectId)
          void navigate(paths.home({ scene: id }))
        })
        .catch(ignoreHandled),
    { manual: true },
  )
  return (
    <Button type="link" size="small" style={{ padding: 0 }} loading={loading} onClick={openScene}>
      查看场景
    </Button>
  )
}

function TaskLedger({ id }: { id: string }) {
  const [task, setTask] = useState<ControlTask>()
  const { run: loadTask, loading } = useRequest(
    () => call(controlApi.get, { id }).then(setTask).catch(ignoreHandled),
    { manual: true },
  )
  return (
    <>
      <Button type="link" size="small" style={{ padding: 0 }} loading={loading} onClick={loadTask}>
        每台设备的结果
      </Button>
      {task && <Ledger task={task} onClose={() => setTask(undefined)} />}
    </>
  )
}
