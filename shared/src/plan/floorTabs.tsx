import { Segmented } from 'antd'
import { useMemo } from 'react'
import type { SpaceLights } from '../contract/device'
import { lightsWithin, type SpaceTree } from './spaces'
import type { Space } from '../contract/project'
import * as styles from './floorTabs.module.css'

type FloorTabsProps = {
  tree: SpaceTree
  floor?: Space
  counts: ReadonlyMap<string, SpaceLights>
  onShow: (floorId: string) => void
}

/** Which building and which of its floors the plan shows; each says how many of its lights are on. */
export function FloorTabs({ tree, floor, counts, onShow }: FloorTabsProps) {
  const buildings = tree.children(null)
  const building = floor && tree.path(floor.id)[0]
  const options = useMemo(
    () =>
      tree.floorsOf(building?.id).map(({ id, name }) => {
        const { on, total } = lightsWithin(tree, counts, id)
        const label = (
          <span title={`${name}：亮 ${on} 盏，共 ${total} 盏`}>
            {name}{' '}
            <small className={styles.count}>
              {on}/{total}
            </small>
          </span>
        )
        return { value: id, label }
      }),
    [tree, counts, building?.id],
  )

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
      <Segmented aria-label="楼层" value={floor?.id} options={options} onChange={onShow} />
    </div>
  )
}
