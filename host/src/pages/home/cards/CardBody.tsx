import { Button, Card, Empty, Flex, Skeleton } from 'antd'
import { ExpandOutlined } from '@ant-design/icons'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  cardTitle,
  spaceOfCard,
  type CardConfig,
  type ViewCard,
} from '@iot/shared/contract/viewCard'
import { Tasks } from '@iot/shared/control/tasks'
import type { Picked } from '@iot/shared/plan/floorPlan'
import { lightsWithin, type SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { LitFloor } from '../LitFloor'
import { ProblemStrip } from '../ProblemStrip'
import { Scenes } from '../Scenes'
import { LightCounts, ScopeActions } from '../ScopeBar'
import { DevicesCard } from './DevicesCard'
import { TypesCard } from './TypesCard'
import type { Shown } from './useCards'
import * as styles from './cards.module.css'

const ShiftCard = lazyPart(
  () => import('../shift/ShiftCard'),
  () => <Skeleton active title={false} paragraph={{ rows: 4 }} />,
)

const EnergyCard = lazyPart(
  () => import('../energy/EnergyCard'),
  () => <Skeleton active title={false} paragraph={{ rows: 4 }} />,
)

type Of<K extends CardConfig['kind']> = Shown & {
  title: string
  config: Extract<CardConfig, { kind: K }>
}
type CardBodyProps = Shown & { card: ViewCard }

/** What a card is called: its own title, else what it is, and of where. */
export function nameOf(card: ViewCard, tree: SpaceTree) {
  const place = tree.nameOf(spaceOfCard(card.config) ?? '')
  return card.title || [cardTitle(card), place].filter(Boolean).join(' · ')
}

/** What a card shows, by its kind. */
export function CardBody({ card, home, floors }: CardBodyProps) {
  const navigate = useNavigate()
  const { config } = card
  const { projectId, tree, counts, tasks, problems, busy, ask } = home
  const spaceId = spaceOfCard(config)
  const title = nameOf(card, tree)
  if (spaceId && !tree.get(spaceId))
    return (
      <Framed title={title}>
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description="这张卡片的位置已被删除，请在编辑模式里重新选择"
        />
      </Framed>
    )
  /** Where it hangs is shown by the overview. */
  const show = (scope: string, device?: string) =>
    void navigate(paths.home({ scope, ...(device && { device }) }))

  switch (config.kind) {
    case 'actions':
      return <ActionsCard {...{ title, config, home, floors }} />
    case 'plan':
      return <PlanCard {...{ title, config, home, floors }} onShow={show} />
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
        <TypesCard title={title} projectId={projectId} spaceId={config.spaceId} />
      ) : (
        <Framed title={title}>
          <LightCounts lights={lightsWithin(tree, counts, config.spaceId ?? undefined)} />
        </Framed>
      )
    case 'problems':
      return (
        <Card size="small">
          <ProblemStrip
            {...{ problems, projectId, tree, busy }}
            wrapped
            onShow={({ kind, id, floorId }) =>
              floorId && show(floorId, kind === 'lit' ? undefined : id)
            }
            onAsk={ask}
          />
        </Card>
      )
    case 'recent':
      return (
        <Tasks
          title={title}
          tasks={tasks}
          onLocate={(deviceId, floorId) => show(floorId, deviceId)}
        />
      )
    case 'shift':
      return (
        <ShiftCard
          {...{ title, projectId, tree, problems }}
          onLocate={(deviceId, floorId) => show(floorId, deviceId)}
        />
      )
    case 'energy':
      return <EnergyCard title={title} projectId={projectId} />
    case 'note':
      return (
        <Framed title={card.title}>
          <p className={styles.note}>{config.text}</p>
        </Framed>
      )
  }
}

type FramedProps = { title: string; extra?: ReactNode; children: ReactNode }
export const Framed = ({ title, extra, children }: FramedProps) => (
  <Card size="small" title={title || undefined} extra={extra}>
    {children}
  </Card>
)

function ActionsCard({ title, config: { spaceId }, home }: Of<'actions'>) {
  const { tree, counts, modes, busy, ask } = home
  const space = tree.get(spaceId)
  const scope = {
    scope: space ? ({ kind: 'space', spaceId: space.id } as const) : ({ kind: 'project' } as const),
    name: space?.name ?? '整个项目',
    fullName: space ? tree.nameOf(space.id) : '整个项目',
  }
  const lights = lightsWithin(tree, counts, space?.id)
  return (
    <Framed title={title}>
      <Flex vertical gap={8}>
        <LightCounts lights={lights} />
        {modes.some(({ showOnHome }) => showOnHome) ? (
          <ScopeActions scope={scope} lights={lights} modes={modes} busy={busy} onAsk={ask} />
        ) : (
          '没有在首页显示的批量动作，可在产品类型里设置'
        )}
      </Flex>
    </Framed>
  )
}

type PlanCardProps = Of<'plan'> & { onShow: (scope: string) => void }
function PlanCard({ title, config: { spaceId }, home, floors, onShow }: PlanCardProps) {
  const [picked, setPicked] = useState<Picked>(new Map())
  const [opened, setOpened] = useState<string>()
  const floor = home.tree.get(spaceId)!
  return (
    <Framed
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
      <LitFloor
        key={floor.id}
        {...{ home, floor, picked, opened }}
        devices={floors.devices}
        lights={floors.lights}
        onPick={setPicked}
        onOpen={setOpened}
        fill
      />
    </Framed>
  )
}
