import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import ExpandOutlined from '@ant-design/icons/ExpandOutlined'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { getCardScope } from '@iot/shared/contract/project/viewCard'
import type { CardConfig, ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { ControlTaskList } from '@iot/shared/control/tasks'
import type { PickedLights } from '@iot/shared/plan/floorPlan'
import { paths } from '@iot/shared/screens/paths'
import { Card } from '@iot/shared/ui/card'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { SwitchableFloor } from '../SwitchableFloor'
import { Scenes } from '../Scenes'
import { LightCounts, ScopeActions } from '../ScopeBar'
import type { Home } from '../useHome'
import { DevicesCard } from './DevicesCard'
import { ProblemsCard } from './ProblemsCard'
import { toScopeParams, ScopeLights, getCardName, getScopeName, type CardScope } from './scope'
import { TypesCard } from './TypesCard'
import type { CardsData } from './useCardsData'
import * as styles from './cards.module.css'

const ShiftCard = lazyPart(
  () => import('../shift/ShiftCard'),
  () => <Skeleton active title={false} paragraph={{ rows: 4 }} />,
)

const EnergyCard = lazyPart(
  () => import('../energy/EnergyCard'),
  () => <Skeleton active title={false} paragraph={{ rows: 4 }} />,
)

type CardPropsByKind<K extends CardConfig['kind']> = CardsData & {
  title: string
  config: Extract<CardConfig, { kind: K }>
}
type CardBodyProps = CardsData & { card: ViewCard }

export function CardBody({ card, home, floors, groups }: CardBodyProps) {
  const navigate = useNavigate()
  const { config } = card
  const { projectId, tree, tasks, busy, ask } = home
  const scope = getCardScope(config)
  const title = getCardName(card, tree, groups.data)
  if (scope.kind === 'space' && !tree.get(scope.spaceId))
    return <MissingScope title={title} what="位置" />
  if (scope.kind === 'group' && groups.data?.every(({ id }) => id !== scope.groupId))
    return <MissingScope title={title} what="设备组" />
  if (scope.kind === 'group' && !groups.data)
    return (
      <Card title={title}>
        {groups.error ? (
          <LoadErrorAlert why={groups.error.message} hasRows={false} onRetry={groups.refresh} />
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        )}
      </Card>
    )
  /** Opens the overview at the position of a device. */
  const openOverview = (scope: string, device?: string) =>
    void navigate(paths.home({ scope, ...(device && { device }) }))

  switch (config.kind) {
    case 'actions':
      return (
        <ActionsCard {...{ title, home, scope }} name={getScopeName(card, tree, groups.data)} />
      )
    case 'plan':
      return <PlanCard {...{ title, config, home, floors, groups }} onShow={openOverview} />
    case 'scenes':
      return (
        <Scenes
          projectId={projectId}
          disabled={busy}
          title={title}
          only={config.sceneIds}
          onAsk={ask}
        />
      )
    case 'devices':
      return <DevicesCard title={title} projectId={projectId} config={config} />
    case 'stats':
      return config.by === 'types' ? (
        <TypesCard title={title} projectId={projectId} {...toScopeParams(scope)} />
      ) : (
        <Card title={title}>
          <ScopeLights scope={scope} home={home}>
            {(lights) => <LightCounts lights={lights} />}
          </ScopeLights>
        </Card>
      )
    case 'problems':
      return (
        <ProblemsCard
          {...{ home, scope }}
          where={card.title || getScopeName(card, tree, groups.data)}
          onLocate={({ floorId, deviceId }) =>
            floorId && openOverview(floorId, deviceId ?? undefined)
          }
        />
      )
    case 'recent':
      return (
        <ControlTaskList
          title={title}
          tasks={tasks}
          onLocate={(deviceId, floorId) => openOverview(floorId, deviceId)}
        />
      )
    case 'shift':
      return <ShiftCard {...{ title, projectId }} />
    case 'energy':
      return <EnergyCard title={title} projectId={projectId} />
    case 'note':
      return (
        <Card title={card.title}>
          <p className={styles.note}>{config.text}</p>
        </Card>
      )
  }
}

const MissingScope = ({ title, what }: { title: string; what: string }) => (
  <Card title={title}>
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={`这张卡片的${what}已被删除，请在编辑模式里重新选择`}
    />
  </Card>
)

type ActionsCardProps = { title: string; name: string; home: Home; scope: CardScope }
function ActionsCard({ title, name, home, scope }: ActionsCardProps) {
  const { tree, modes, busy, ask } = home
  const fullName = name || '整个项目'
  const space = scope.kind === 'space' && tree.get(scope.spaceId)
  const namedScope = { scope, name: space ? space.name : fullName, fullName }
  return (
    <Card title={title}>
      <ScopeLights scope={scope} home={home}>
        {(lights) => (
          <Flex vertical gap={8}>
            <LightCounts lights={lights} />
            {modes.some(({ showOnHome }) => showOnHome) ? (
              <ScopeActions
                scope={namedScope}
                lights={lights}
                modes={modes}
                busy={busy}
                onAsk={ask}
              />
            ) : (
              '没有在首页显示的批量动作，可在产品类型里设置'
            )}
          </Flex>
        )}
      </ScopeLights>
    </Card>
  )
}

type PlanCardProps = CardPropsByKind<'plan'> & { onShow: (scope: string) => void }
function PlanCard({ title, config: { spaceId }, home, floors, onShow }: PlanCardProps) {
  const [pickedLights, setPickedLights] = useState<PickedLights>(new Map())
  const [openDeviceId, setOpenDeviceId] = useState<string>()
  const floor = home.tree.get(spaceId)!
  return (
    <Card
      title={title}
      extra={
        <Button
          type="text"
          size="small"
          icon={<ExpandOutlined />}
          aria-label={`在总览里看${floor.name}`}
          title="在总览里看"
          onClick={() => onShow(spaceId)}
        />
      }
    >
      <SwitchableFloor
        key={floor.id}
        {...{ home, floor, picked: pickedLights, opened: openDeviceId }}
        devices={floors.devices}
        lights={floors.lights}
        onPick={setPickedLights}
        onOpen={setOpenDeviceId}
        fill
      />
    </Card>
  )
}
