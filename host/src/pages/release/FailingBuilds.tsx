import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import type { AppRelease } from '@iot/shared/contract/release/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { Can } from '@iot/shared/ui/right'
import { findFailingBuilds, getBuildName } from './build'
import type { useRollback } from './useRollback'

type FailingBuildsProps = { remote: AppRelease; onRollback: ReturnType<typeof useRollback> }

/** Warns of builds whose page crashed in many sessions, and offers to roll back. */
export const FailingBuilds = ({ remote, onRollback }: FailingBuildsProps) =>
  findFailingBuilds(remote).map(({ build, crashed, used: sessionCount, to }) => (
    <Alert
      key={build}
      type="warning"
      showIcon
      title={`“${remote.title}”的${build === remote.build ? '当前版本' : '灰度版本'}在 ${crashed} / ${sessionCount} 个会话中页面出错，可以回退到“${getBuildName(remote, to)}”`}
      action={
        <Can to={releaseApi.rollback}>
          <Button size="small" onClick={() => onRollback(remote, to)}>
            回退…
          </Button>
        </Can>
      }
    />
  ))
