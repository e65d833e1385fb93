import { Button, Flex, TreeSelect } from 'antd'
import { useAtomValue } from 'jotai'
import type { ActionMode, MapDevice, SpaceLights } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import type { Asked } from '@iot/shared/control/confirmControl'
import { Dot, type DotLook } from '@iot/shared/plan/dot'
import { countLooks, type Counts as LightCounts } from '@iot/shared/plan/lights'
import { lightsWithin, type SpaceTree } from '@iot/shared/plan/spaces'
import { useTally } from '@iot/shared/plan/useBuilding'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { Right } from '@iot/shared/ui/right'
import { LightAllOff, LightAllOn } from './icons'
import type { useScope } from './useScope'
import * as styles from './home.module.css'

type ScopeBarProps = {
  tree: SpaceTree
  scope: ReturnType<typeof useScope>
  counts: ReadonlyMap<string, SpaceLights>
  /** Of the floors that are looked at. */
  lights: MapDevice[]
  modes: ActionMode[]
  busy: boolean
  onAsk: (asked: Asked) => void
}

const lightType = 'SAFEWAY_LIGHT'
/** Only lights have action icons. */
const icons: Record<string, React.ReactNode> = { all_on: <LightAllOn />, all_off: <LightAllOff /> }

/** Where actions go, how the lights there stand, and the actions themselves. */
export function ScopeBar({ tree, scope, counts, lights, modes, busy, onAsk }: ScopeBarProps) {
  const { size } = useAtomValue(buttonSettingAtom)
  const projectId = useAtomValue(currentProjectIdAtom)

  type Node = { value: string; title: string; full: string; children: Node[] }
  const nodes = tree.nested<Node>(({ id, name }, children) => ({
    value: id,
    title: name,
    full: tree.nameOf(id),
    children,
  }))

  // Lights are what home is about; of other types a button says which.
  const isOfLights = ({ productType }: ActionMode) => productType === lightType
  const textOf = (mode: ActionMode) => (isOfLights(mode) ? '' : mode.typeName) + mode.name
  const ask = (mode: ActionMode) => {
    const { productType, actionType, confirm } = mode
    const title = `${scope.name}：${textOf(mode)}`
    const isSpoken = isOfLights(mode) && (actionType === 'all_on' || actionType === 'all_off')
    onAsk({
      title,
      okText: textOf(mode),
      request: { kind: 'action', projectId, productType, actionType, scope: scope.scope },
      spoken: isSpoken ? { kind: actionType, name: scope.name } : { kind: 'action', name: title },
      confirm,
    })
  }

  return (
    <Flex gap={16} align="center" wrap>
      {scope.picked.size > 0 ? (
        <Button onClick={() => scope.setPicked(new Map())}>
          已选 {scope.picked.size} 盏，取消选择
        </Button>
      ) : (
        <TreeSelect
          aria-label="范围"
          className={styles.space}
          treeData={[{ value: '', title: '整个项目', full: '整个项目' }, ...nodes]}
          value={scope.spaceId ?? ''}
          onChange={(id: string) => scope.choose(id || undefined)}
          treeNodeFilterProp="full"
          treeNodeLabelProp="full"
          showSearch
          popupMatchSelectWidth={260}
        />
      )}
      {scope.picked.size > 0 ? (
        <PickedCounts lights={lights.filter(({ id }) => scope.picked.has(id))} />
      ) : (
        <Counts counts={lightsWithin(tree, counts, scope.spaceId)} />
      )}
      <Flex gap={8} className={styles.actions}>
        {modes
          .filter(({ showOnHome }) => showOnHome)
          .map((mode) => (
            <Right
              key={mode.productType + mode.actionType}
              to={rights.bulkControl}
              unless={busy && '编辑模式下不下发命令'}
            >
              <Button
                size={size}
                icon={isOfLights(mode) && icons[mode.actionType]}
                onClick={() => ask(mode)}
              >
                {textOf(mode)}
              </Button>
            </Right>
          ))}
      </Flex>
    </Flex>
  )
}

const PickedCounts = ({ lights }: { lights: MapDevice[] }) => (
  <Counts counts={useTally(lights, countLooks)} />
)

function Counts({ counts }: { counts: LightCounts }) {
  return (
    <div className={styles.counts} role="status" aria-label="灯的统计">
      <Count look="on" label="开" value={counts.on} />
      <Count look="off" label="关" value={counts.off + counts.unknown} />
      <Count look="offline" label="离线" value={counts.offline} />
      <Count look="protected" label="受保护" value={counts.protected} />
    </div>
  )
}

const Count = ({ look, label, value }: { look: DotLook; label: string; value: number }) => (
  <span className={styles.count}>
    <Dot look={look} />
    {label} <strong>{value}</strong>
  </span>
)
