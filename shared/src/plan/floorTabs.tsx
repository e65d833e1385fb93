import { Segmented } from 'antd'
import { useMemo } from 'react'
import type { MapDevice } from '../contract/device'
import { countLooks } from './lights'
import { lightsBySpace, type SpaceTree } from './spaces'
import { useTally } from './useBuilding'
import type { Space } from '../contract/project'
import * as styles from './floorTabs.module.css'

type FloorTabsProps = {
  tree: SpaceTree
  floor?: Space
  lights: MapDevice[]
  onShow: (floorId: string) => void
}

/** Which building and which of its floors the plan shows; each says how many of its lights are on. */
export function FloorTabs({ tree, floor, lights, onShow }: FloorTabsProps) {
  const buildings = tree.children(null)
  const building = floor && tree.path(floor.id)[0]
  const below = useMemo(() => lightsBySpace(tree, lights), [tree, lights])
  const floors = tree.floorsOf(building?.id)

  return (
    <div className={styles.tabs}>
      <Segmented
        aria-label="楼栋"
        value={building?.id}
        options={buildings.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => {
          const first = tree.floorsOf(id)[0]
          if (first) onShow(first.id)
        }}
      />
      <Segmented
        aria-label="楼层"
        value={floor?.id}
        options={floors.map(({ id, name }) => ({
          value: id,
          label: <FloorLabel name={name} lights={below.get(id) ?? none} />,
        }))}
        onChange={onShow}
      />
    </div>
  )
}

const none: MapDevice[] = []

function FloorLabel({ name, lights }: { name: string; lights: MapDevice[] }) {
  const { on, total } = useTally(lights, countLooks)
  return (
    <span title={`${name}：亮 ${on} 盏，共 ${total} 盏`}>
      {name}{' '}
      <small className={styles.count}>
        {on}/{total}
      </small>
    </span>
  )
}
