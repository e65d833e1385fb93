import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import { useAtomValue } from 'jotai'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { guidePath, paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { projectsAtom } from '@iot/shared/session/project'
import { Card } from '@iot/shared/ui/card'
import * as styles from './home.module.css'

/** Appears for a project without floors, and links a user with the permission to the page where floors are created. */
export default function NoBuilding({ projectId }: { projectId: number }) {
  const can = useCan()
  const name = useAtomValue(projectsAtom).find(({ id }) => id === projectId)?.name ?? ''
  const canBuild = can(spaceApi.create) && can(managedProjectApi.page)
  const {
    data: row,
    error,
    refresh,
  } = useRequest(
    async () => {
      const { list } = await call(managedProjectApi.page, { name, pageSize: 999 }, { quiet: true })
      return list.find((project) => project.projectId === projectId)
    },
    { ready: canBuild, refreshDeps: [projectId, name], onError: () => {} },
  )
  return (
    <Card>
      <Empty
        className={styles.empty}
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description={
          canBuild
            ? '这个项目还没有楼栋和设备。先建楼栋和楼层，再登记设备；或在右上角切换项目。'
            : '这个项目还没有楼栋和设备。请在右上角切换项目，或联系管理员新建楼栋。'
        }
      >
        <Flex gap={8} justify="center" wrap>
          {canBuild && (
            <Link to={guidePath}>
              <Button type="primary">打开接入向导</Button>
            </Link>
          )}
          {row && (
            <Link to={`${paths.system.project()}/${row.id}?tab=space`}>
              <Button>去建楼栋</Button>
            </Link>
          )}
          {!row && error && <Button onClick={refresh}>没有读到项目，重试</Button>}
        </Flex>
      </Empty>
    </Card>
  )
}
