import { App, Flex, Input } from 'antd'
import { call } from '@iot/shared/client/call'
import { releaseApi, type AreaRelease } from '@iot/shared/contract/releaseCenter'
import { quietly } from '@iot/shared/ui/batch'
import { nameOf } from './build'

/** Asks for a reason and rolls a remote back. The call is refused if someone published after `revision` was read. */
export function useRollback(revision: number | undefined, onDone: () => void) {
  const { modal, message } = App.useApp()
  return (area: AreaRelease, to: string) => {
    const { name, title, build, canary } = area
    const target = nameOf(area, to)
    const isStop = to === build
    let why = ''
    return modal.confirm({
      title: isStop ? `停止“${title}”的灰度？` : `将“${title}”回退到“${target}”？`,
      width: 480,
      content: (
        <Flex vertical gap={8}>
          <span>
            {isStop
              ? `灰度版本“${nameOf(area, canary!.build)}”不再启用，全部使用“${target}”。`
              : `现在使用“${build && nameOf(area, build)}”。回退后，新打开的页面使用“${target}”。`}
          </span>
          <span>
            {name === 'host'
              ? '已打开的页面会提示系统已更新，由用户自己重新加载。'
              : '已打开的页面不用重新加载，下次切换页面时换过去；有未完成的表单时等表单完成再换。'}
          </span>
          <span>两个版本的文件都保留，可以再换回来。</span>
          <Input
            aria-label="原因"
            placeholder="原因（选填，记入发布记录）"
            maxLength={100}
            onChange={({ target }) => (why = target.value)}
          />
        </Flex>
      ),
      okText: isStop ? '停止灰度' : '回退',
      okButtonProps: { danger: true },
      onOk: () =>
        call(releaseApi.rollback, { name, build: to, revision: revision!, why })
          .then(
            () =>
              void message.success(
                isStop ? `“${title}”的灰度已停止` : `“${title}”已回退到“${target}”`,
              ),
            quietly,
          )
          .then(onDone),
    })
  }
}
