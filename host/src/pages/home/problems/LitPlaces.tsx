import Button from 'antd/es/button'
import { formatAge } from '@iot/shared/client/age'
import type { ActionMode, Problem } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { Can } from '@iot/shared/ui/right'
import { createSwitchOffAction } from './createSwitchOffAction'
import { getPlaceName } from './getPlaceName'
import * as styles from './problems.module.css'

export type LitPlacesProps = {
  /** Places that are lit without anyone being there. */
  places: Problem[]
  projectId: number
  tree: SpaceTree
  modes: ActionMode[]
  busy: boolean
  now: number
  onAsk: (action: ControlConfirmation) => void
}

/** Lists the places with unneeded light, each with the button that switches it off. */
export function LitPlaces({ places, projectId, tree, modes, busy, now, onAsk }: LitPlacesProps) {
  if (places.length === 0) return null
  return (
    <section aria-label="亮灯无人" className={styles.litPlaces}>
      <h3>亮灯无人 {places.length} 处</h3>
      <ul className={styles.list}>
        {places.map((place) => {
          const name = getPlaceName(place, tree)
          return (
            <li key={place.id} className={styles.entry}>
              <span className={styles.what}>
                <b>{name}</b>
                <small>
                  {[place.reason, formatAge(place.since, now)].filter(Boolean).join(' · ')}
                </small>
              </span>
              <Can to={devicePermissions.bulkControl} unless={busy && '编辑模式下不下发命令'}>
                <Button
                  size="small"
                  aria-label={`关灯，${name}`}
                  onClick={() =>
                    onAsk(createSwitchOffAction(projectId, modes, place.deviceIds, name))
                  }
                >
                  关灯
                </Button>
              </Can>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
