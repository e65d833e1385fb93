import type { ManualOverride } from '@iot/shared/contract/control/manualOverride.schema'
import { EndOverrideButton } from '@iot/shared/control/heldNotice'
import { formatOverride } from '@iot/shared/plan/lights'
import { Card } from '@iot/shared/ui/card'
import { NoteLine } from './NoteLine'
import * as styles from './noteLine.module.css'

type HeldPlacesProps = { overrides: ManualOverride[] }

/** Lists what scenes and bulk commands skip at present. */
export default function HeldPlaces({ overrides }: HeldPlacesProps) {
  return (
    <Card title="手动保持" bodyClass={styles.list}>
      {overrides.map((override) => (
        <HeldPlaceLine key={override.id} override={override} />
      ))}
    </Card>
  )
}

export function HeldPlaceLine({ override }: { override: ManualOverride }) {
  const { place, parentPlace, devices, unit, reason } = override
  const title = [parentPlace, place].filter(Boolean).join(' ')
  return (
    <NoteLine
      title={title}
      kind="手动保持"
      shortTitle={place}
      action={<EndOverrideButton override={override} />}
      reason={reason}
    >
      <div className={styles.more}>
        {[parentPlace, devices > 1 && `${devices} ${unit}`].filter(Boolean).join(' · ')}
      </div>
      <div>{formatOverride(override)}</div>
    </NoteLine>
  )
}
