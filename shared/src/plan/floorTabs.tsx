import { Segmented, Tag } from 'antd'
import { useMemo } from 'react'
import type { SpaceLights } from '../contract/device'
import { namedOptions } from '../contract/options'
import { litText } from './lights'
import { lightsWithin, type SpaceTree } from './spaces'
import type { Space } from '../contract/project'
import * as styles from './floorTabs.module.css'

type FloorTabsProps = {
  tree: SpaceTree
  /** What is looked at and acted on; the whole project without one. */
  space?: Space
  /** None of these: something else is acted on. */
  isElsewhere?: boolean
  counts: ReadonlyMap<string, SpaceLights>
  onChoose: (spaceId?: string) => void
}

const whole = ''
const elsewhere = 'elsewhere'

/** Sets the one scope: the project, a building, a floor. Each floor says how many of its lights are on. */
export function FloorTabs({ tree, space, isElsewhere, counts, onChoose }: FloorTabsProps) {
  const buildings = tree.children(null)
  const path = tree.path(space?.id)
  const [building] = path
  const floor = path.find(({ type }) => type === 'floor')
  const isInside = space !== undefined && floor !== undefined && space.id !== floor.id
  const options = useMemo(() => {
    const one = (id: string, name: string) => {
      const { on, total, unknown } = lightsWithin(tree, counts, id)
      const label = (
        <span title={`${name}：${litText({ on, total, unknown })}`}>
          {name}{' '}
          <small className={styles.count}>
            {on}/{total}
            {unknown > 0 && ` 未知 ${unknown}`}
          </small>
        </span>
      )
      return { value: id, label }
    }
    if (!building) return []
    return [
      one(building.id, '全部楼层'),
      ...tree.floorsOf(building.id).map(({ id, name }) => one(id, name)),
    ]
  }, [tree, counts, building])

  return (
    <div className={styles.tabs}>
      <Segmented
        aria-label="楼栋"
        value={isElsewhere ? elsewhere : (building?.id ?? whole)}
        options={[{ value: whole, label: '整个项目' }, ...namedOptions(buildings)]}
        onChange={(id) => onChoose(id === whole ? undefined : id)}
      />
      {building && (
        <Segmented
          aria-label="楼层"
          value={floor?.id ?? building.id}
          options={options}
          onChange={onChoose}
        />
      )}
      {isInside && (
        <Tag closable color="blue" className={styles.inside} onClose={() => onChoose(floor.id)}>
          只看{space.name}
        </Tag>
      )}
    </div>
  )
}
