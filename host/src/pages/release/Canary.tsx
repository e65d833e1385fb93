import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import { call } from '@iot/shared/client/call'
import type { AppRelease } from '@iot/shared/contract/release/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { ButtonMenu, type MenuEntry } from '@iot/shared/ui/buttonMenu'
import { useFeedback } from '@iot/shared/ui/feedback'
import { Can } from '@iot/shared/ui/right'
import { Build, getBuildName } from './build'

const canaryShares = [5, 10, 25, 50]

type CanaryProps = {
  remote: AppRelease
  canary: NonNullable<AppRelease['canary']>
  revision: number
  onStop: () => void
  onDone: () => void
}

/** Shows the canary build and the share of browsers that use it. */
export function Canary({ remote, canary, revision, onStop, onDone }: CanaryProps) {
  const { modal, message } = useFeedback()
  const changeShare = (share?: number) =>
    call(releaseApi.canary, { name: remote.name, share, revision })
      .then(
        () => void message.success(share ? `灰度比例已改为 ${share}%` : '灰度版本已全量启用'),
        ignoreHandled,
      )
      .then(onDone)
  const confirmFullRollout = () =>
    modal.confirm({
      title: `将“${remote.title}”的灰度版本启用给全部用户？`,
      content: `“${getBuildName(remote, canary.build)}”现在由 ${canary.share}% 的浏览器使用。已打开的页面在下次切换页面时换过去。`,
      okText: '全量启用',
      onOk: () => changeShare(),
    })
  const entries: MenuEntry[] = [
    ...canaryShares
      .filter((share) => share !== canary.share)
      .map((share) => ({ label: `改为 ${share}%`, onClick: () => changeShare(share) })),
    'divider',
    { label: '全量启用…', onClick: confirmFullRollout },
  ]
  return (
    <Flex vertical gap={2}>
      <Flex align="center">
        <Tag color="processing">灰度 {canary.share}%</Tag>
        <Can to={releaseApi.canary}>
          <ButtonMenu entries={entries}>
            <Button type="link" size="small" style={{ paddingInline: 4 }}>
              调整
            </Button>
          </ButtonMenu>
        </Can>
        <Can to={releaseApi.rollback}>
          <Button type="link" size="small" style={{ paddingInline: 4 }} onClick={onStop}>
            停止
          </Button>
        </Can>
      </Flex>
      <Build remote={remote} id={canary.build} />
    </Flex>
  )
}
