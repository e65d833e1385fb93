import Tag from 'antd/es/tag'
import { useMemo } from 'react'
import type { SpaceLights } from '../contract/device/device.schema'
import { formatLitCounts } from './lights'
import type { Space } from '../contract/project/project.schema'
import { ChoiceStrip, MiddleEllipsis, type Choice } from '../ui/choiceStrip'
import { sumLightCounts, type SpaceTree } from './spaces'
import * as styles from './floorTabs.module.css'

type FloorTabsProps = {
  tree: SpaceTree
  /** The selected space is highlighted; the whole project if it is missing. */
  space?: Space
  /** No tab is active, because the current target is another one, such as a group. */
  isElsewhere?: boolean
  counts: ReadonlyMap<string, SpaceLights>
  onChoose: (spaceId?: string) => void
}

const wholeProjectValue = ''
const otherTargetValue = 'elsewhere'

/** Tabs that choose the target: the project, a building or a floor. Each floor shows its count of lights on. */
export function FloorTabs({ tree, space, isElsewhere, counts, onChoose }: FloorTabsProps) {
  const buildings = tree.children(null)
  const path = tree.path(space?.id)
  const [building] = path
  const floor = path.find(({ type }) => type === 'floor')
  const isInside = space !== undefined && floor !== undefined && space.id !== floor.id
  const floors = useMemo(() => {
    const toChoice = (value: string, name: string): Choice => {
      const { on, total, unknown } = sumLightCounts(tree, counts, value)
      const more = (
        <small className={styles.count}>
          {on}/{total}
          {unknown > 0 && ` 未知 ${unknown}`}
        </small>
      )
      return { value, name, more, title: `${name}：${formatLitCounts({ on, total, unknown })}` }
    }
    if (!building) return []
    return [
      toChoice(building.id, '全部楼层'),
      ...tree.floorsOf(building.id).map(({ id, name }) => toChoice(id, name)),
    ]
  }, [tree, counts, building])

  return (
    <div className={styles.tabs}>
      <ChoiceStrip
        label="楼栋"
        value={isElsewhere ? otherTargetValue : (building?.id ?? wholeProjectValue)}
        choices={[
          { value: wholeProjectValue, name: '整个项目' },
          ...buildings.map(({ id, name }) => ({ value: id, name })),
        ]}
        onChange={(id) => onChoose(id === wholeProjectValue ? undefined : id)}
      />
      {building && (
        <ChoiceStrip
          label="楼层"
          value={floor?.id ?? building.id}
          choices={floors}
          onChange={onChoose}
        />
      )}
      {isInside && (
        <Tag closable color="blue" className={styles.inside} onClose={() => onChoose(floor.id)}>
          只看
          <MiddleEllipsis text={space.name} />
        </Tag>
      )}
    </div>
  )
}
