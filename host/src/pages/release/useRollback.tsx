import { call } from '@iot/shared/client/call'
import type { AppRelease } from '@iot/shared/contract/release/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useConfirmWithReason } from '@iot/shared/ui/confirmWithReason'
import { useFeedback } from '@iot/shared/ui/feedback'
import { getBuildName } from './build'

const maxReasonLength = 100

/** Asks for a reason and rolls a remote back. The call is refused if someone published after `revision` was read. */
export function useRollback(revision: number | undefined, onDone: () => void) {
  const { message } = useFeedback()
  const confirmWithReason = useConfirmWithReason()
  return (remote: AppRelease, targetBuild: string) => {
    const { name, title, build, canary } = remote
    const targetName = getBuildName(remote, targetBuild)
    const isStop = targetBuild === build
    confirmWithReason({
      draft: `rollback/${name}/${targetBuild}`,
      title: isStop ? `停止“${title}”的灰度？` : `将“${title}”回退到“${targetName}”？`,
      width: 480,
      content: (
        <>
          <span>
            {isStop
              ? `灰度版本“${getBuildName(remote, canary!.build)}”不再启用，全部使用“${targetName}”。`
              : `现在使用“${build && getBuildName(remote, build)}”。回退后，新打开的页面使用“${targetName}”。`}
          </span>
          <span>
            {name === 'host'
              ? '已打开的页面会提示系统已更新，由用户自己重新加载。'
              : '已打开的页面不用重新加载，下次切换页面时换过去；有未完成的表单时等表单完成再换。'}
          </span>
          <span>两个版本的文件都保留，可以再换回来。</span>
        </>
      ),
      placeholder: '原因（选填，记入发布记录）',
      maxLength: maxReasonLength,
      okText: isStop ? '停止灰度' : '回退',
      onOk: (reason, discardReason) =>
        call(releaseApi.rollback, { name, build: targetBuild, revision: revision!, why: reason })
          .then(() => {
            discardReason()
            void message.success(
              isStop ? `“${title}”的灰度已停止` : `“${title}”已回退到“${targetName}”`,
            )
          }, ignoreHandled)
          .then(onDone),
    })
  }
}
