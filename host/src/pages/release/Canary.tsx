import { App, Button, Flex, Tag } from 'antd'
import { call } from '@iot/shared/client/call'
import { releaseApi, type AreaRelease } from '@iot/shared/contract/releaseCenter'
import { quietly } from '@iot/shared/ui/batch'
import { ButtonMenu, type MenuEntry } from '@iot/shared/ui/buttonMenu'
import { Right } from '@iot/shared/ui/right'
import { Build, nameOf } from './build'

const shares = [5, 10, 25, 50]

type CanaryProps = {
  area: AreaRelease
  canary: NonNullable<AreaRelease['canary']>
  revision: number
  onStop: () => void
  onDone: () => void
}

/** Shows the canary build and the share of browsers that use it. */
export function Canary({ area, canary, revision, onStop, onDone }: CanaryProps) {
  const { modal, message } = App.useApp()
  const widen = (share?: number) =>
    call(releaseApi.canary, { name: area.name, share, revision })
      .then(
        () => void message.success(share ? `灰度比例已改为 ${share}%` : '灰度版本已全量启用'),
        quietly,
      )
      .then(onDone)
  const askAll = () =>
    modal.confirm({
      title: `将“${area.title}”的灰度版本启用给全部用户？`,
      content: `“${nameOf(area, canary.build)}”现在由 ${canary.share}% 的浏览器使用。已打开的页面在下次切换页面时换过去。`,
      okText: '全量启用',
      onOk: () => widen(),
    })
  const entries: MenuEntry[] = [
    ...shares
      .filter((share) => share !== canary.share)
      .map((share) => ({ label: `改为 ${share}%`, onClick: () => widen(share) })),
    'divider',
    { label: '全量启用…', onClick: askAll },
  ]
  return (
    <Flex vertical gap={2}>
      <Flex align="center">
        <Tag color="processing">灰度 {canary.share}%</Tag>
        <Right to={releaseApi.canary}>
          <ButtonMenu entries={entries}>
            <Button type="link" size="small" style={{ paddingInline: 4 }}>
              调整
            </Button>
          </ButtonMenu>
        </Right>
        <Right to={releaseApi.rollback}>
          <Button type="link" size="small" style={{ paddingInline: 4 }} onClick={onStop}>
            停止
          </Button>
        </Right>
      </Flex>
      <Build area={area} id={canary.build} />
    </Flex>
  )
}
