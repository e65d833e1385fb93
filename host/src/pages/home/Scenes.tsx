import { useRequest } from 'ahooks'
import { Alert, Button, Card, Empty, Flex, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { rights } from '@iot/shared/contract/homeRights'
import { sceneApi, type SceneButton } from '@iot/shared/contract/scene'
import type { Asked } from '@iot/shared/control/confirmControl'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { Right } from '@iot/shared/ui/right'
import { SceneIcon } from './SceneIcon'
import * as styles from './home.module.css'

type ScenesProps = {
  projectId: number
  disabled: boolean
  /** A scene that was chosen elsewhere, such as in the search. */
  askedFor?: string
  onAsk: (asked: Asked) => void
}

export function Scenes({ projectId, disabled, askedFor, onAsk }: ScenesProps) {
  const { size } = useAtomValue(buttonSettingAtom)
  const { data, error, refresh } = useRequest(
    () => call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, { quiet: true }),
    { refreshDeps: [projectId] },
  )

  const ask = ({ id, name }: SceneButton) =>
    onAsk({
      title: `执行场景“${name}”`,
      okText: '执行',
      request: { kind: 'scene', projectId, sceneId: id },
      spoken: { kind: 'scene', name },
    })

  const chosen = data?.list.find(({ id }) => id === askedFor)
  const chosenId = chosen?.id
  useEffect(() => {
    if (chosen) ask(chosen)
    // Asked once for each choice; the rest is the same function anew.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [chosenId])

  return (
    <Card size="small" title="场景">
      {error && !data ? (
        <Alert
          type="warning"
          showIcon
          title={error.message}
          action={
            <Button size="small" onClick={refresh}>
              重试
            </Button>
          }
        />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 2 }} />
      ) : data.list.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这个项目还没有场景" />
      ) : (
        <Flex wrap gap={8} className={styles.scenes}>
          {data.list.map((scene) => (
            <Right key={scene.id} to={rights.scene} unless={disabled && '编辑模式下不执行场景'}>
              <Button
                size={size}
                icon={<SceneIcon name={scene.icon} />}
                title={`${scene.deviceCount} 台设备`}
                onClick={() => ask(scene)}
              >
                {scene.name}
              </Button>
            </Right>
          ))}
        </Flex>
      )}
    </Card>
  )
}
